// Bracketed trees: reading and laying them out. Nothing here recurses, so depth does not matter.

// The tree of some brackets, or null. A node has a label, children or a word, and the words it spans.
export function parseTree(text) {
  const tokens = String(text).match(/[()]|[^\s()]+/g) ?? [];
  const stack = [];
  let root = null, words = 0, ids = 0, opened = false;
  for (const token of tokens) {
    if (token === "(") {
      const node = { id: ids++, label: "", children: [], start: words, end: words };
      if (stack.length) stack.at(-1).children.push(node);
      else if (root) return null;
      else root = node;
      stack.push(node);
      opened = true;
    } else if (token === ")") {
      const node = stack.pop();
      if (!node) return null;
      node.end = words;
      node.tag = node.children.length === 1 && node.children[0].word !== undefined;
      opened = false;
    } else if (!stack.length) return null;
    else if (opened) { stack.at(-1).label = token; opened = false; }
    else stack.at(-1).children.push({ word: token, label: token, start: words, end: ++words });
  }
  return stack.length ? null : root;
}

// All nodes and words in preorder.
export function nodesOf(root) {
  const found = [], todo = [root];
  while (todo.length) {
    const node = todo.pop();
    found.push(node);
    for (let i = (node.children?.length ?? 0) - 1; i >= 0; i--) todo.push(node.children[i]);
  }
  return found;
}

const LEVEL = 38, GAP = 12, MARGIN = 8;
const width = (text, size) => Math.max(10, [...text].length * size * 0.6);

// Nodes with x and y, words on the bottom line and tags above them, and the size of the whole.
export function layout(root) {
  const nodes = nodesOf(root);
  for (const node of nodes) {
    node.depth ??= 0;
    for (const child of node.children ?? []) child.depth = node.depth + 1;
  }
  const deepest = Math.max(...nodes.filter((node) => node.word === undefined).map((node) => node.depth));
  for (const node of nodes) {
    if (node.word !== undefined) node.depth = deepest + 1;
    else if (node.tag) node.depth = deepest;
    node.size = node.word === undefined ? 12 : 13;
    node.width = width(node.label, node.size);
  }
  for (let i = nodes.length - 1; i >= 0; i--) spread(nodes[i]);
  nodes[0].x = nodes[0].left + MARGIN;
  for (const node of nodes)
    for (const child of node.children ?? []) child.x = node.x + child.offset;
  for (const node of nodes) node.y = MARGIN + 14 + node.depth * LEVEL;
  return { nodes, width: nodes[0].left + nodes[0].right + 2 * MARGIN,
           height: (deepest + 1) * LEVEL + 2 * MARGIN + 18 };
}

// A node half-way between its first and its last child; each subtree has columns of its own.
function spread(node) {
  node.left = node.right = node.width / 2;
  const below = node.children ?? [];
  if (!below.length) return;
  let column = 0;
  for (const child of below) {
    child.offset = column + child.left;
    column += child.left + child.right + GAP;
  }
  const middle = (below[0].offset + below.at(-1).offset) / 2;
  for (const child of below) child.offset -= middle;
  node.left = Math.max(node.left, middle);
  node.right = Math.max(node.right, column - GAP - middle);
}
