// The arithmetic of reasons: scores, pairs, changed weights, and what a choice hangs on. What Python
// computes in tasks/ranking/why.py and flip.py is computed here for the list that is shown.

// The table of terms as numbers: one row of values per candidate.
export function tableOf(terms) {
  const size = terms.names.length;
  const values = terms.rows.map((row) => {
    const found = new Float64Array(size);
    for (let i = 0; i < row.length; i += 2) found[row[i]] = row[i + 1];
    return found;
  });
  return { names: terms.names, weights: Float64Array.from(terms.weights), values };
}

// The weights, each times the factor that the user gave it; 1 is as learned.
export function weighted(table, factors) {
  if (!factors.size) return table.weights;
  return table.weights.map((weight, term) => weight * (factors.get(term) ?? 1));
}

export function scoresOf(table, weights) {
  return table.values.map((row) => {
    let sum = 0;
    for (let term = 0; term < row.length; term++) sum += weights[term] * row[term];
    return sum;
  });
}

// Places of candidates, the best first; equal scores keep the base order.
export function orderOf(scores, ranks) {
  return scores.map((_, i) => i).sort((a, b) => scores[b] - scores[a] || ranks[a] - ranks[b]);
}

// The terms for or against one of two candidates, the largest first.
export function between(table, weights, winner, rival) {
  const [a, b] = [table.values[winner], table.values[rival]];
  const found = [];
  for (let term = 0; term < weights.length; term++) {
    const contribution = weights[term] * (a[term] - b[term]);
    if (contribution !== 0)
      found.push({ term, name: table.names[term], winner: a[term], rival: b[term],
                   weight: weights[term], contribution });
  }
  return found.sort((x, y) => Math.abs(y.contribution) - Math.abs(x.contribution) ||
                              (x.name < y.name ? -1 : 1));
}

// The name of a feature that a threshold or bin was made from.
export const plainName = (name) => name.replace(/[<>]=-?[\d.e+-]+$/, "");

// What is before the colon, or the whole name.
export const templateOf = (name) => plainName(name.split(": ")[0]);

// Contributions by template, the largest first.
export function byTemplate(parts) {
  const groups = new Map();
  for (const part of parts) {
    const name = templateOf(part.name);
    const group = groups.get(name) ?? { name, terms: [], contribution: 0 };
    group.terms.push(part.term);
    group.contribution += part.contribution;
    groups.set(name, group);
  }
  return [...groups.values()].sort((x, y) => Math.abs(y.contribution) - Math.abs(x.contribution));
}

// The fewest terms whose removal, for all candidates, makes another one win; null if none does.
// Against one rival nothing does more than to remove the largest contributions to the lead.
export function flipOf(table, weights, order, ranks) {
  const winner = order[0];
  let best = null;
  for (const rival of order.slice(1)) {
    const parts = between(table, weights, winner, rival);
    const leads = parts.map((part) => part.contribution).sort((a, b) => a - b);
    const sums = [0]; // from the smallest, so that terms which cancel leave exactly nothing
    for (const lead of leads) sums.push(sums.at(-1) + lead);
    for (let kept = leads.length - 1; kept >= 0; kept--) {
      const left = sums[kept];
      if (left < 0 || (left === 0 && ranks[rival] < ranks[winner])) {
        const removed = leads.length - kept;
        if (!best || removed < best.removed || (removed === best.removed &&
            (left < best.left || (left === best.left && ranks[rival] < ranks[best.rival]))))
          best = { rival, removed, left, difference: sums.at(-1), parts };
        break;
      }
    }
  }
  if (!best) return null;
  const terms = best.parts.sort((x, y) => y.contribution - x.contribution).slice(0, best.removed);
  return { rival: best.rival, terms, left: best.left, difference: best.difference };
}
