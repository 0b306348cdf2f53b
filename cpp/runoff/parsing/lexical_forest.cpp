#include "runoff/parsing/lexical_forest.hpp"

#include "runoff/parsing/head_contexts.hpp"

#include <algorithm>
#include <cmath>

namespace runoff::parsing {

using base::at;

namespace {

double logarithm(double p) { return p > 0 ? std::log(p) : search::NO_WEIGHT; }

class Lexicaliser {
public:
  Lexicaliser(const HeadModel &model, const Forest &forest, const Sentence &sentence,
              Allowance &allowance)
      : model_(model), forest_(forest), sentence_(sentence), allowance_(allowance),
        labels_(model.labels()), none_(labels_.none()), forms_(forest.nodes.size()),
        verbs_(sentence.words.size() + 1, 0), labels_memo_(1 << 14), words_memo_(1 << 14) {
    for (std::size_t i = 0; i < sentence.words.size(); ++i) {
      const auto best = sentence.tags[i][0].tag;
      verbs_[i + 1] = verbs_[i] + (labels_.is_verb[at(best)]);
    }
  }

  Derivations build() {
    for (std::size_t id = 0; id < forest_.nodes.size(); ++id) {
      allowance_.work(forest_.incoming(forest_.nodes[id]).size());
      if (!fill(id)) {
        Derivations none;
        none.too_large = true;
        return none;
      }
    }
    const auto &roots = forms_[at(forest_.root)];
    result_.root = roots.empty() ? -1 : roots[0].id;
    return std::move(result_);
  }

private:
  // A node of the forest with a head word, its tag, and complements to come.
  struct Form {
    std::int16_t head;
    std::int16_t tag;
    Frame frame;
    std::int32_t id = -1;
    bool same(const Form &other) const {
      return head == other.head && tag == other.tag && frame == other.frame;
    }
  };
  struct Pending {
    Form form;
    std::vector<search::Edge> edges;
  };

  // Whether it fits.
  bool fill(std::size_t id) {
    const auto &node = forest_.nodes[id];
    used_ = 0;
    for (const auto &edge : forest_.incoming(node)) {
      follow(node, edge);
      if (!allowance_.holds(tried_))
        return false;
    }
    auto &forms = forms_[id];
    for (std::size_t n = 0; n < used_; ++n) {
      auto &pending = bin_[n];
      for (const auto &edge : pending.edges)
        result_.graph.edges.push_back(edge);
      pending.form.id = result_.graph.close_node();
      result_.origins.push_back(static_cast<std::int32_t>(id));
      forms.push_back(pending.form);
    }
    return true;
  }

  // Adds an edge to a form of the node that is being filled.
  void add(const Form &form, double weight, Move move, std::int32_t left = -1,
           std::int32_t right = -1) {
    ++tried_;
    if (weight == search::NO_WEIGHT)
      return;
    const auto end = bin_.begin() + static_cast<std::ptrdiff_t>(used_);
    auto it = std::find_if(bin_.begin(), end, [&](const Pending &p) { return p.form.same(form); });
    if (it == end) {
      if (used_ == bin_.size())
        bin_.emplace_back();
      it = bin_.begin() + static_cast<std::ptrdiff_t>(used_++);
      it->form = form;
      it->edges.clear();
    }
    it->edges.push_back({weight, left, right, static_cast<std::int32_t>(move)});
  }

  const ForestNode &tail(const ForestEdge &edge, int place = 0) const {
    return forest_.node(edge.tails[place]);
  }
  const std::vector<Form> &forms(const ForestEdge &edge, int place = 0) const {
    return forms_[at(edge.tails[place])];
  }

  void follow(const ForestNode &node, const ForestEdge &edge) {
    switch (edge.move) {
    case Move::leaf:
      return add({node.start, static_cast<std::int16_t>(node.label), 0}, 0.0, Move::leaf);
    case Move::same:
      return keep(edge);
    case Move::head:
      return project(node, edge);
    case Move::right:
      return attach(edge, Side::right);
    case Move::right_stop:
      return stop_right(node, edge);
    case Move::left:
      return attach(edge, Side::left);
    case Move::left_stop:
      return stop_left(edge);
    case Move::unary:
      return project_alone(node, edge);
    case Move::top:
      return finish(edge);
    }
  }

  void keep(const ForestEdge &edge) {
    for (const auto &form : forms(edge))
      add({form.head, form.tag, form.frame}, 0.0, Move::same, form.id);
  }

  // A constituent becomes the head of a partial one.
  void project(const ForestNode &node, const ForestEdge &edge) {
    for (const auto &form : forms(edge))
      subcategorise(node, Side::right, form, head_weight(node, node.head, form), Move::head);
  }

  // A partial constituent chooses its complements on a side, on which it has no modifier yet.
  void subcategorise(const ForestNode &node, Side side, const Form &form, double weight,
                     Move move) {
    for (const Frame frame : model_.frames(side, node.label, node.head))
      add({form.head, form.tag, frame}, weight + frame_weight(node, node.head, side, form, frame),
          move, form.id);
  }

  // A modifier is attached to a partial constituent; a complement must be one still to come.
  void attach(const ForestEdge &edge, Side side) {
    const int inner = side == Side::right ? 0 : 1, outer = 1 - inner;
    const auto &partial = tail(edge, inner);
    const Label modifier = tail(edge, outer).label;
    const int slot = labels_.complement(partial.label, partial.head, modifier, side);
    for (const auto &form : forms(edge, inner)) {
      if (slot >= 0 && complements_left(form.frame, slot) == 0)
        continue;
      const Frame frame = slot < 0 ? form.frame : without_complement(form.frame, slot);
      const double weight = label_weight(partial, side, form, modifier);
      for (const auto &other : forms(edge, outer)) {
        const double total = weight + word_weight(partial, side, form, modifier, other);
        if (side == Side::right)
          add({form.head, form.tag, frame}, total, Move::right, form.id, other.id);
        else
          add({form.head, form.tag, frame}, total, Move::left, other.id, form.id);
      }
    }
  }

  void stop_right(const ForestNode &node, const ForestEdge &edge) {
    for (const auto &form : forms(edge))
      if (form.frame == 0)
        subcategorise(node, Side::left, form, stop_weight(tail(edge), Side::right, form),
                      Move::right_stop);
  }

  void stop_left(const ForestEdge &edge) {
    for (const auto &form : forms(edge))
      if (form.frame == 0)
        add({form.head, form.tag, 0}, stop_weight(tail(edge), Side::left, form), Move::left_stop,
            form.id);
  }

  // A constituent with no modifiers and no complements.
  void project_alone(const ForestNode &node, const ForestEdge &edge) {
    ForestNode partial = node;
    partial.head = tail(edge).label;
    partial.previous = partial.before = none_;
    for (const auto &form : forms(edge)) {
      double weight = head_weight(node, partial.head, form);
      for (const Side side : SIDES)
        weight +=
            frame_weight(node, partial.head, side, form, 0) + stop_weight(partial, side, form);
      add({form.head, form.tag, 0}, weight, Move::unary, form.id);
    }
  }

  void finish(const ForestEdge &edge) {
    const Label label = tail(edge).label;
    const State state = model_.top_state();
    const Lexical nobody = model_.nobody();
    for (const auto &form : forms(edge)) {
      double weight = logarithm(model_.head2(labels_.top, none_, nobody, label)) +
                      logarithm(model_.word2(state, nobody, label, lexical(form)));
      if (label >= labels_.tags)
        weight += logarithm(model_.tag2(state, nobody, label, form.tag));
      add({0, 0, 0}, weight, Move::top, form.id);
    }
  }

  Lexical lexical(const Form &form) const { return {form.tag, sentence_.words[at(form.head)]}; }

  double head_weight(const ForestNode &node, Label head, const Form &form) const {
    return logarithm(model_.head2(node.label, node.above, lexical(form), head));
  }

  double frame_weight(const ForestNode &node, Label head, Side side, const Form &form,
                      Frame frame) const {
    const State state{node.label, node.above, head, side, none_, none_};
    return logarithm(model_.frame2(state, lexical(form), frame));
  }

  double stop_weight(const ForestNode &partial, Side side, const Form &form) {
    return label_weight(partial, side, form, labels_.stop());
  }

  // Of a modifier's label, or STOP.
  double label_weight(const ForestNode &partial, Side side, const Form &form, Label modifier) {
    const bool verb = verb_between(partial, side, form);
    const Key key =
        joined(0, packed(partial.label, partial.above, partial.head, partial.previous),
               packed(form.frame, form.head, modifier),
               packed(partial.before, 0, 4 * form.tag + 2 * verb + static_cast<int>(side)));
    float &known = labels_memo_[key];
    if (known == 0.0F)
      known = float(logarithm(
          model_.label2(state_of(partial, side), lexical(form), form.frame, verb, modifier)));
    return known;
  }

  // Of a modifier's head word, and of its tag unless that is the modifier itself.
  double word_weight(const ForestNode &partial, Side side, const Form &form, Label modifier,
                     const Form &other) {
    const Key key =
        joined(0, packed(partial.label, partial.previous, partial.head, modifier),
               packed(2 * form.tag + static_cast<int>(side), other.tag, form.head, other.head));
    float &known = words_memo_[key];
    if (known == 0.0F) {
      const State state = state_of(partial, side);
      double weight = logarithm(model_.word2(state, lexical(form), modifier, lexical(other)));
      if (modifier >= labels_.tags)
        weight += logarithm(model_.tag2(state, lexical(form), modifier, other.tag));
      known = float(weight);
    }
    return known;
  }

  static State state_of(const ForestNode &partial, Side side) {
    return {partial.label, partial.above, partial.head, side, partial.previous, partial.before};
  }

  // Whether there is a verb between the head word and the end of its constituent on a side.
  bool verb_between(const ForestNode &partial, Side side, const Form &form) const {
    const auto head = at(form.head);
    return side == Side::right ? verbs_[at(partial.end)] > verbs_[head + 1]
                               : verbs_[head] > verbs_[at(partial.start)];
  }

  const HeadModel &model_;
  const Forest &forest_;
  const Sentence &sentence_;
  Allowance &allowance_;
  const Labels &labels_;
  Label none_;
  std::vector<std::vector<Form>> forms_;
  std::vector<std::int32_t> verbs_; // before each word
  KeyTable<float> labels_memo_, words_memo_;
  std::vector<Pending> bin_;
  std::size_t used_ = 0, tried_ = 0; // tried: edges, also those without weight
  Derivations result_;
};

} // namespace

Derivations unlexicalised(const HeadModel &model, const Forest &forest, const Sentence &sentence,
                          int scale) {
  Derivations result;
  for (std::size_t id = 0; id < forest.nodes.size(); ++id) {
    const auto &node = forest.nodes[id];
    for (const auto &edge : forest.incoming(node)) {
      double weight = logarithm(edge.probability);
      if (edge.move == Move::top)
        weight += scale * std::log(2.0);
      if (edge.move == Move::leaf) // the forest has what the choice of tags says
        for (const auto &choice : sentence.tags[at(node.start)])
          if (choice.tag == node.label)
            weight += logarithm(model.word1({node.label, sentence.words[at(node.start)]}) /
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

Derivations lexicalised(const HeadModel &model, const Forest &forest, const Sentence &sentence,
                        Allowance &allowance) {
  return Lexicaliser(model, forest, sentence, allowance).build();
}

} // namespace runoff::parsing
