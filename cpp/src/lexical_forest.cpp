#include "runoff/lexical_forest.hpp"

#include <algorithm>
#include <cmath>

namespace runoff {

namespace {

double logarithm(double p) { return p > 0 ? std::log(p) : NO_WEIGHT; }

class Lexicaliser {
public:
  Lexicaliser(const HeadModel &model, const Forest &forest, const Sentence &sentence)
      : model_(model), forest_(forest), sentence_(sentence), labels_(model.labels()),
        none_(labels_.none()), forms_(forest.nodes.size()), verbs_(sentence.words.size() + 1, 0),
        labels_memo_(1 << 14), words_memo_(1 << 14) {
    for (std::size_t i = 0; i < sentence.words.size(); ++i) {
      const auto best = sentence.tags[i][0].tag;
      verbs_[i + 1] = verbs_[i] + ((labels_.kinds[std::size_t(best)] & Labels::verb) != 0);
    }
  }

  Derivations build() {
    for (std::size_t id = 0; id < forest_.nodes.size(); ++id)
      fill(id);
    result_.root = forms_[std::size_t(forest_.root)].empty() ? -1 : forms_[std::size_t(forest_.root)][0].id;
    return std::move(result_);
  }

private:
  // A node of the forest with a head word, its tag, and complements to come.
  struct Form {
    std::int16_t head;
    std::int16_t tag;
    Frame frame;
    std::int32_t id;
  };
  struct Pending {
    Form form;
    std::vector<Edge> edges;
  };

  Lexical lexical(const Form &form) const { return {form.tag, sentence_.words[std::size_t(form.head)]}; }

  void add(std::int16_t head, std::int16_t tag, Frame frame, double weight, std::int32_t left, std::int32_t right, Move move) {
    if (weight == NO_WEIGHT)
      return;
    auto it = std::find_if(bin_.begin(), bin_.begin() + std::ptrdiff_t(used_), [&](const Pending &p) {
      return p.form.head == head && p.form.tag == tag && p.form.frame == frame;
    });
    if (it == bin_.begin() + std::ptrdiff_t(used_)) {
      if (used_ == bin_.size())
        bin_.emplace_back();
      it = bin_.begin() + std::ptrdiff_t(used_++);
      it->form = {head, tag, frame, -1};
      it->edges.clear();
    }
    it->edges.push_back({weight, left, right, std::int32_t(move)});
  }

  double label(const ForestNode &node, Side side, const Form &form, Label modifier) {
    const State state{node.label, node.above, node.head, side, node.previous, node.before};
    const bool verb = side == Side::right
                          ? verbs_[std::size_t(node.end)] > verbs_[std::size_t(form.head) + 1]
                          : verbs_[std::size_t(form.head)] > verbs_[std::size_t(node.start)];
    const Key key = mixed(mixed((Key(std::uint16_t(node.label)) << 48) | (Key(std::uint16_t(node.above)) << 32) |
                              (Key(std::uint16_t(node.head)) << 16) | Key(std::uint16_t(node.previous)),
                          (Key(form.frame) << 32) | (Key(std::uint16_t(form.head)) << 16) | Key(std::uint16_t(modifier))),
                          (Key(std::uint16_t(node.before)) << 32) | (Key(std::uint16_t(form.tag)) << 2) | (Key(verb) << 1) | Key(side));
    float &known = labels_memo_[key];
    if (known == 0.0F)
      known = float(logarithm(model_.label2(state, lexical(form), form.frame, verb, modifier)));
    return known;
  }

  double words(const ForestNode &node, Side side, const Form &form, Label modifier, const Form &other) {
    const State state{node.label, node.above, node.head, side, node.previous, node.before};
    const Key key = mixed((Key(std::uint16_t(node.label)) << 48) | (Key(std::uint16_t(node.previous)) << 32) |
                              (Key(std::uint16_t(node.head)) << 16) | Key(std::uint16_t(modifier)),
                          (Key(std::uint16_t(form.tag)) << 49) | (Key(side) << 48) | (Key(std::uint16_t(other.tag)) << 32) |
                              (Key(std::uint16_t(form.head)) << 16) | Key(std::uint16_t(other.head)));
    float &known = words_memo_[key];
    if (known == 0.0F) {
      double weight = logarithm(model_.word2(state, lexical(form), modifier, lexical(other)));
      if (modifier >= labels_.tags)
        weight += logarithm(model_.tag2(state, lexical(form), modifier, other.tag));
      known = float(weight);
    }
    return known;
  }

  void fill(std::size_t id) {
    const auto &node = forest_.nodes[id];
    used_ = 0;
    for (auto e = node.first_edge; e < node.last_edge; ++e)
      follow(node, forest_.edges[std::size_t(e)]);
    auto &forms = forms_[id];
    for (std::size_t n = 0; n < used_; ++n) {
      auto &pending = bin_[n];
      for (const auto &edge : pending.edges)
        result_.graph.edges.push_back(edge);
      pending.form.id = result_.graph.close_node();
      result_.origins.push_back(std::int32_t(id));
      forms.push_back(pending.form);
    }
  }

  void follow(const ForestNode &node, const ForestEdge &edge) {
    const auto &first = edge.tails[0] >= 0 ? forms_[std::size_t(edge.tails[0])] : empty_;
    switch (edge.move) {
    case Move::leaf:
      for (const auto &choice : sentence_.tags[std::size_t(node.start)])
        if (choice.tag == node.label)
          add(node.start, std::int16_t(node.label), 0, choice.weight, -1, -1, Move::leaf);
      break;
    case Move::same:
      for (const auto &form : first)
        add(form.head, form.tag, form.frame, 0.0, form.id, -1, Move::same);
      break;
    case Move::head:
      for (const auto &form : first) {
        const State state{node.label, node.above, node.head, Side::right, none_, none_};
        const double weight = logarithm(model_.head2(node.label, node.above, lexical(form), node.head));
        for (const Frame frame : model_.frames(Side::right, node.label, node.head))
          add(form.head, form.tag, frame, weight + logarithm(model_.frame2(state, lexical(form), frame)), form.id, -1, Move::head);
      }
      break;
    case Move::right:
    case Move::left: {
      const Side side = edge.move == Move::right ? Side::right : Side::left;
      const auto partial_id = std::size_t(edge.tails[side == Side::right ? 0 : 1]);
      const auto other_id = std::size_t(edge.tails[side == Side::right ? 1 : 0]);
      const auto &partial = forest_.nodes[partial_id];
      const Label modifier = forest_.nodes[other_id].label;
      const int slot = model_.complement(partial.label, partial.head, modifier, side);
      for (const auto &form : forms_[partial_id]) {
        Frame frame = form.frame;
        if (slot >= 0) {
          if (((frame >> (2 * slot)) & 3) == 0)
            continue;
          frame = Frame(frame - (1 << (2 * slot)));
        }
        const double weight = label(partial, side, form, modifier);
        for (const auto &other : forms_[other_id]) {
          const double total = weight + words(partial, side, form, modifier, other);
          if (side == Side::right)
            add(form.head, form.tag, frame, total, form.id, other.id, Move::right);
          else
            add(form.head, form.tag, frame, total, other.id, form.id, Move::left);
        }
      }
      break;
    }
    case Move::right_stop: {
      const auto &partial = forest_.nodes[std::size_t(edge.tails[0])];
      for (const auto &form : first) {
        if (form.frame != 0)
          continue;
        const State state{node.label, node.above, node.head, Side::left, none_, none_};
        const double weight = label(partial, Side::right, form, labels_.stop());
        for (const Frame frame : model_.frames(Side::left, node.label, node.head))
          add(form.head, form.tag, frame, weight + logarithm(model_.frame2(state, lexical(form), frame)), form.id, -1, Move::right_stop);
      }
      break;
    }
    case Move::left_stop: {
      const auto &partial = forest_.nodes[std::size_t(edge.tails[0])];
      for (const auto &form : first)
        if (form.frame == 0)
          add(form.head, form.tag, 0, label(partial, Side::left, form, labels_.stop()), form.id, -1, Move::left_stop);
      break;
    }
    case Move::unary: {
      ForestNode partial = node;
      partial.head = forest_.nodes[std::size_t(edge.tails[0])].label;
      partial.previous = partial.before = none_;
      for (const auto &form : first) {
        double weight = logarithm(model_.head2(node.label, node.above, lexical(form), partial.head));
        for (const Side side : {Side::right, Side::left}) {
          const State state{node.label, node.above, partial.head, side, none_, none_};
          weight += logarithm(model_.frame2(state, lexical(form), 0)) + label(partial, side, form, labels_.stop());
        }
        add(form.head, form.tag, 0, weight, form.id, -1, Move::unary);
      }
      break;
    }
    case Move::top: {
      const Label label = forest_.nodes[std::size_t(edge.tails[0])].label;
      const State state{labels_.top, none_, none_, Side::right, none_, none_};
      const Lexical nobody{none_, -1};
      for (const auto &form : first) {
        double weight = logarithm(model_.head2(labels_.top, none_, nobody, label)) +
                        logarithm(model_.word2(state, nobody, label, lexical(form)));
        if (label >= labels_.tags)
          weight += logarithm(model_.tag2(state, nobody, label, form.tag));
        add(0, 0, 0, weight, form.id, -1, Move::top);
      }
      break;
    }
    }
  }

  const HeadModel &model_;
  const Forest &forest_;
  const Sentence &sentence_;
  const Labels &labels_;
  Label none_;
  std::vector<std::vector<Form>> forms_;
  std::vector<Form> empty_;
  std::vector<std::int32_t> verbs_;
  KeyTable<float> labels_memo_, words_memo_;
  std::vector<Pending> bin_;
  std::size_t used_ = 0;
  Derivations result_;
};

} // namespace

Derivations unlexicalised(const Forest &forest, double offset) {
  Derivations result;
  result.offset = offset;
  for (std::size_t id = 0; id < forest.nodes.size(); ++id) {
    const auto &node = forest.nodes[id];
    for (auto e = node.first_edge; e < node.last_edge; ++e) {
      const auto &edge = forest.edges[std::size_t(e)];
      result.graph.edges.push_back({logarithm(edge.probability), edge.tails[0], edge.tails[1], std::int32_t(edge.move)});
    }
    result.graph.close_node();
    result.origins.push_back(std::int32_t(id));
  }
  result.root = forest.root;
  return result;
}

Derivations lexicalised(const HeadModel &model, const Forest &forest, const Sentence &sentence) {
  return Lexicaliser(model, forest, sentence).build();
}

std::string Printer::print(const Forest &forest, const Derivations &derivations,
                           std::span<const std::int32_t> edges, std::span<const std::string> words) const {
  struct Open {
    int tails;
    bool bracket;
  };
  std::string text;
  std::vector<Open> open;
  // The node that each edge builds: the root, then the tails of edges as they come.
  std::vector<std::int32_t> todo{derivations.root};
  for (const auto number : edges) {
    const auto &edge = derivations.graph.edges[std::size_t(number)];
    const auto &node = forest.nodes[std::size_t(derivations.origins[std::size_t(todo.back())])];
    todo.pop_back();
    if (edge.right >= 0)
      todo.push_back(edge.right);
    if (edge.left >= 0)
      todo.push_back(edge.left);
    const auto move = Move(edge.label);
    if (move == Move::leaf) {
      text += (text.empty() ? "(" : " (") + labels[std::size_t(node.label)] + " " + words[std::size_t(node.start)] + ")";
    }
    bool bracket = move == Move::left_stop || move == Move::unary || move == Move::top;
    if (move == Move::unary && node.label == np &&
        forest.nodes[std::size_t(derivations.origins[std::size_t(edge.left)])].label == base_np)
      bracket = false;
    if (bracket)
      text += (text.empty() ? "(" : " (") + labels[std::size_t(node.label == base_np ? np : node.label)];
    open.push_back({(edge.left >= 0) + (edge.right >= 0), bracket});
    while (!open.empty() && open.back().tails == 0) {
      if (open.back().bracket)
        text += ")";
      open.pop_back();
      if (!open.empty())
        --open.back().tails;
    }
  }
  return text;
}

} // namespace runoff
