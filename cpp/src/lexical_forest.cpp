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
      verbs_[i + 1] = verbs_[i] + (labels_.is_verb[static_cast<std::size_t>(best)]);
    }
  }

  Derivations build() {
    for (std::size_t id = 0; id < forest_.nodes.size(); ++id)
      fill(id);
    result_.root = forms_[static_cast<std::size_t>(forest_.root)].empty()
                       ? -1
                       : forms_[static_cast<std::size_t>(forest_.root)][0].id;
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

  Lexical lexical(const Form &form) const {
    return {form.tag, sentence_.words[static_cast<std::size_t>(form.head)]};
  }

  void add(std::int16_t head, std::int16_t tag, Frame frame, double weight, std::int32_t left,
           std::int32_t right, Move move) {
    if (weight == NO_WEIGHT)
      return;
    auto it = std::find_if(
        bin_.begin(), bin_.begin() + static_cast<std::ptrdiff_t>(used_), [&](const Pending &p) {
          return p.form.head == head && p.form.tag == tag && p.form.frame == frame;
        });
    if (it == bin_.begin() + static_cast<std::ptrdiff_t>(used_)) {
      if (used_ == bin_.size())
        bin_.emplace_back();
      it = bin_.begin() + static_cast<std::ptrdiff_t>(used_++);
      it->form = {head, tag, frame, -1};
      it->edges.clear();
    }
    it->edges.push_back({weight, left, right, static_cast<std::int32_t>(move)});
  }

  double label(const ForestNode &node, Side side, const Form &form, Label modifier) {
    const State state{node.label, node.above, node.head, side, node.previous, node.before};
    const bool verb = side == Side::right ? verbs_[static_cast<std::size_t>(node.end)] >
                                                verbs_[static_cast<std::size_t>(form.head) + 1]
                                          : verbs_[static_cast<std::size_t>(form.head)] >
                                                verbs_[static_cast<std::size_t>(node.start)];
    const Key key =
        mixed(mixed((Key(static_cast<std::uint16_t>(node.label)) << 48) |
                        (Key(static_cast<std::uint16_t>(node.above)) << 32) |
                        (Key(static_cast<std::uint16_t>(node.head)) << 16) |
                        Key(static_cast<std::uint16_t>(node.previous)),
                    (Key(form.frame) << 32) | (Key(static_cast<std::uint16_t>(form.head)) << 16) |
                        Key(static_cast<std::uint16_t>(modifier))),
              (Key(static_cast<std::uint16_t>(node.before)) << 32) |
                  (Key(static_cast<std::uint16_t>(form.tag)) << 2) | (Key(verb) << 1) | Key(side));
    float &known = labels_memo_[key];
    if (known == 0.0F)
      known = float(logarithm(model_.label2(state, lexical(form), form.frame, verb, modifier)));
    return known;
  }

  double words(const ForestNode &node, Side side, const Form &form, Label modifier,
               const Form &other) {
    const State state{node.label, node.above, node.head, side, node.previous, node.before};
    const Key key = mixed((Key(static_cast<std::uint16_t>(node.label)) << 48) |
                              (Key(static_cast<std::uint16_t>(node.previous)) << 32) |
                              (Key(static_cast<std::uint16_t>(node.head)) << 16) |
                              Key(static_cast<std::uint16_t>(modifier)),
                          (Key(static_cast<std::uint16_t>(form.tag)) << 49) | (Key(side) << 48) |
                              (Key(static_cast<std::uint16_t>(other.tag)) << 32) |
                              (Key(static_cast<std::uint16_t>(form.head)) << 16) |
                              Key(static_cast<std::uint16_t>(other.head)));
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
      follow(node, forest_.edges[static_cast<std::size_t>(e)]);
    auto &forms = forms_[id];
    for (std::size_t n = 0; n < used_; ++n) {
      auto &pending = bin_[n];
      for (const auto &edge : pending.edges)
        result_.graph.edges.push_back(edge);
      pending.form.id = result_.graph.close_node();
      result_.origins.push_back(static_cast<std::int32_t>(id));
      forms.push_back(pending.form);
    }
  }

  void follow(const ForestNode &node, const ForestEdge &edge) {
    const auto &first =
        edge.tails[0] >= 0 ? forms_[static_cast<std::size_t>(edge.tails[0])] : empty_;
    switch (edge.move) {
    case Move::leaf:
      add(node.start, static_cast<std::int16_t>(node.label), 0, 0.0, -1, -1, Move::leaf);
      break;
    case Move::same:
      for (const auto &form : first)
        add(form.head, form.tag, form.frame, 0.0, form.id, -1, Move::same);
      break;
    case Move::head:
      for (const auto &form : first) {
        const State state{node.label, node.above, node.head, Side::right, none_, none_};
        const double weight =
            logarithm(model_.head2(node.label, node.above, lexical(form), node.head));
        for (const Frame frame : model_.frames(Side::right, node.label, node.head))
          add(form.head, form.tag, frame,
              weight + logarithm(model_.frame2(state, lexical(form), frame)), form.id, -1,
              Move::head);
      }
      break;
    case Move::right:
    case Move::left: {
      const Side side = edge.move == Move::right ? Side::right : Side::left;
      const auto partial_id = static_cast<std::size_t>(edge.tails[side == Side::right ? 0 : 1]);
      const auto other_id = static_cast<std::size_t>(edge.tails[side == Side::right ? 1 : 0]);
      const auto &partial = forest_.nodes[partial_id];
      const Label modifier = forest_.nodes[other_id].label;
      const int slot = labels_.complement(partial.label, partial.head, modifier, side);
      for (const auto &form : forms_[partial_id]) {
        Frame frame = form.frame;
        if (slot >= 0) {
          if (complements_left(frame, slot) == 0)
            continue;
          frame = without_complement(frame, slot);
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
      const auto &partial = forest_.nodes[static_cast<std::size_t>(edge.tails[0])];
      for (const auto &form : first) {
        if (form.frame != 0)
          continue;
        const State state{node.label, node.above, node.head, Side::left, none_, none_};
        const double weight = label(partial, Side::right, form, labels_.stop());
        for (const Frame frame : model_.frames(Side::left, node.label, node.head))
          add(form.head, form.tag, frame,
              weight + logarithm(model_.frame2(state, lexical(form), frame)), form.id, -1,
              Move::right_stop);
      }
      break;
    }
    case Move::left_stop: {
      const auto &partial = forest_.nodes[static_cast<std::size_t>(edge.tails[0])];
      for (const auto &form : first)
        if (form.frame == 0)
          add(form.head, form.tag, 0, label(partial, Side::left, form, labels_.stop()), form.id, -1,
              Move::left_stop);
      break;
    }
    case Move::unary: {
      ForestNode partial = node;
      partial.head = forest_.nodes[static_cast<std::size_t>(edge.tails[0])].label;
      partial.previous = partial.before = none_;
      for (const auto &form : first) {
        double weight =
            logarithm(model_.head2(node.label, node.above, lexical(form), partial.head));
        for (const Side side : SIDES) {
          const State state{node.label, node.above, partial.head, side, none_, none_};
          weight += logarithm(model_.frame2(state, lexical(form), 0)) +
                    label(partial, side, form, labels_.stop());
        }
        add(form.head, form.tag, 0, weight, form.id, -1, Move::unary);
      }
      break;
    }
    case Move::top: {
      const Label label = forest_.nodes[static_cast<std::size_t>(edge.tails[0])].label;
      const State state = model_.top_state();
      const Lexical nobody = model_.nobody();
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

Derivations unlexicalised(const HeadModel &model, const Forest &forest, const Sentence &sentence,
                          int scale) {
  Derivations result;
  for (std::size_t id = 0; id < forest.nodes.size(); ++id) {
    const auto &node = forest.nodes[id];
    for (auto e = node.first_edge; e < node.last_edge; ++e) {
      const auto &edge = forest.edges[static_cast<std::size_t>(e)];
      double weight = logarithm(edge.probability);
      if (edge.move == Move::top)
        weight += scale * std::log(2.0);
      if (edge.move == Move::leaf) // the forest has what the choice of tags says
        for (const auto &choice : sentence.tags[static_cast<std::size_t>(node.start)])
          if (choice.tag == node.label)
            weight += logarithm(
                model.word1({node.label, sentence.words[static_cast<std::size_t>(node.start)]}) /
                choice.probability);
      result.graph.edges.push_back(
          {weight, edge.tails[0], edge.tails[1], static_cast<std::int32_t>(edge.move)});
    }
    result.graph.close_node();
    result.origins.push_back(static_cast<std::int32_t>(id));
  }
  result.root = forest.root;
  return result;
}

Derivations lexicalised(const HeadModel &model, const Forest &forest, const Sentence &sentence) {
  return Lexicaliser(model, forest, sentence).build();
}

} // namespace runoff
