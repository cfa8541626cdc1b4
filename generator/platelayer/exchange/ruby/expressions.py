"""Readers of operators, conditions and assignments: one for each kind of node."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from platelayer.exchange.ruby.budget import checked_number, pay, pay_for, pay_for_text
from platelayer.exchange.ruby.frames import Asked, Frame, Left
from platelayer.exchange.ruby.lists import is_kind
from platelayer.exchange.ruby.literals import LITERALS, Reader, hashable, read_array, read_local
from platelayer.exchange.ruby.methods import BINARY
from platelayer.exchange.ruby.patterns import Pattern
from platelayer.exchange.ruby.syntax import text_of
from platelayer.exchange.ruby.values import Unread, is_unread, truthy
from platelayer.exchange.ruby.work import ruby_plus

if TYPE_CHECKING:
    from tree_sitter import Node

    from platelayer.exchange.ruby.evaluate import Evaluator

_ASIDE = ("comment", "heredoc_body", "rescue", "ensure")


def read_identifier(ev: Evaluator, node: Node, frame: Frame) -> Any:
    """A name without arguments."""
    return read_local(ev, text_of(node), node, frame)


def read_instance(ev: Evaluator, node: Node, frame: Frame) -> Any:
    """An instance variable."""
    return ev.variable(text_of(node), ev.unread(frame.source, node))


def read_unary(ev: Evaluator, node: Node, frame: Frame) -> Any:
    """-x, !x, defined? x."""
    operator, operand = text_of(node.child_by_field_name("operator")), node.child_by_field_name("operand")
    value = None if operand is None else ev.value(operand, frame)
    if operator in ("!", "not"):
        return not truthy(value)
    if operator == "defined?":
        return None
    if isinstance(value, (int, float)):
        return -value if operator == "-" else value
    return value if operator == "+" else ev.unread(frame.source, node)


def read_binary(ev: Evaluator, node: Node, frame: Frame) -> Any:
    """An operator between two values."""
    left, right = (node.child_by_field_name(each) for each in ("left", "right"))
    operator = text_of(node.child_by_field_name("operator"))
    if left is None or right is None:
        return ev.unread(frame.source, node)
    first = ev.value(left, frame)
    if operator in ("&&", "and"):
        return ev.value(right, frame) if truthy(first) else first
    if operator in ("||", "or"):
        return first if truthy(first) else ev.value(right, frame)
    value = operate(operator, first, ev.value(right, frame), lambda: ev.unread(frame.source, node))
    if operator == "<<" and isinstance(first, str) and left.type == "identifier":
        frame.names[text_of(left)] = value
    return value


def operate(operator: str, first: Any, second: Any, unread: Callable[[], Unread]) -> Any:
    """The value of an operator, unread where it does not fit."""
    work = BINARY.get(operator)
    if operator == "+" and isinstance(first, list) and is_unread(second):
        return ruby_plus(first, [second])
    if work is None or is_unread(first) or is_unread(second):
        return unread()
    try:
        return checked_number(work(first, second))
    except (TypeError, ValueError, ArithmeticError, AttributeError):
        return unread()


def read_conditional(ev: Evaluator, node: Node, frame: Frame) -> Any:
    """if, unless and ?:; what cannot be known is false."""
    condition = node.child_by_field_name("condition")
    holds = condition is not None and truthy(ev.value(condition, frame))
    if node.type.startswith("unless"):
        holds = not holds
    chosen = node.child_by_field_name("consequence" if holds else "alternative")
    return None if chosen is None else ev.value(chosen, frame)


def read_modifier(ev: Evaluator, node: Node, frame: Frame) -> Any:
    """A statement with if or unless behind it."""
    condition, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
    holds = condition is not None and truthy(ev.value(condition, frame))
    if node.type.startswith("unless"):
        holds = not holds
    return ev.value(body, frame) if holds and body is not None else None


def read_case(ev: Evaluator, node: Node, frame: Frame) -> Any:
    """case with its first branch that fits."""
    subject_node = node.child_by_field_name("value")
    subject = True if subject_node is None else ev.value(subject_node, frame)
    for child in node.named_children:
        if child.type == "when":
            for pattern in child.children_by_field_name("pattern"):
                wanted = ev.all(pattern.named_children, frame)
                if _fits(wanted, subject) and not is_unread(subject) and (subject_node is not None or truthy(wanted)):
                    return ev.body(child.child_by_field_name("body"), frame)
        elif child.type == "else":
            return ev.body(child, frame)
    return None


def _fits(wanted: Any, subject: Any) -> bool:
    """Ruby's `===`, for values, ranges, classes and patterns."""
    if isinstance(wanted, Pattern):
        return isinstance(subject, str) and wanted.search(subject) is not None
    if is_unread(wanted):
        return is_kind(subject, [wanted], None)
    pay_for(wanted)
    return bool(wanted == subject or (isinstance(wanted, list) and subject in wanted))


def read_while(ev: Evaluator, node: Node, frame: Frame) -> Any:
    """while and until; the budget of steps ends what goes on and on."""
    condition, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
    while condition is not None and truthy(ev.value(condition, frame)) is node.type.startswith("while"):
        if not _turn(ev, body, frame):
            break
    return None


def read_for(ev: Evaluator, node: Node, frame: Frame) -> Any:
    """for x in y."""
    pattern, given = node.child_by_field_name("pattern"), node.child_by_field_name("value")
    values = None if given is None else ev.all(given.named_children, frame)
    for each in values if isinstance(values, (list, tuple)) else ():
        if pattern is None:
            break
        put_value(ev, pattern, each, frame)
        if not _turn(ev, node.child_by_field_name("body"), frame):
            break
    return values


def _turn(ev: Evaluator, body: Node | None, frame: Frame) -> bool:
    """One turn of a loop: False where it breaks off."""
    pay()
    try:
        if body is not None:
            ev.all(body.named_children, frame)
    except Left as left:
        if left.kind == "return":
            raise
        return left.kind == "next"
    return True


def read_assign(ev: Evaluator, node: Node, frame: Frame) -> Any:
    """An assignment."""
    left, right = (node.child_by_field_name(each) for each in ("left", "right"))
    if left is None or right is None:
        return None
    value = read_array(ev, right, frame) if right.type == "right_assignment_list" else ev.value(right, frame)
    put_value(ev, left, value, frame)
    return value


def read_assign_by(ev: Evaluator, node: Node, frame: Frame) -> Any:
    """+=, ||= and the like."""
    left, right = (node.child_by_field_name(each) for each in ("left", "right"))
    operator = text_of(node.child_by_field_name("operator")).removesuffix("=")
    if left is None or right is None:
        return None
    name = text_of(left)
    unset = left.type in ("identifier", "instance_variable") and name not in frame.names and name not in ev.known
    before = None if unset else ev.value(left, frame)
    if operator in ("||", "&&"):
        if truthy(before) == (operator == "||"):
            return before
        value = ev.value(right, frame)
    else:
        value = operate(operator, before, ev.value(right, frame), lambda: ev.unread(frame.source, node))
    put_value(ev, left, value, frame)
    return value


def put_value(ev: Evaluator, left: Node, value: Any, frame: Frame) -> None:
    """Give a name, an element or several of them a value."""
    if left.type == "identifier":
        frame.names[text_of(left)] = value
    elif left.type == "instance_variable":
        ev.known[text_of(left)] = value
    elif left.type == "element_reference":
        holder = read_element_holder(ev, left, frame)
        keys = [ev.value(child, frame) for child in left.named_children[1:]]
        if isinstance(holder, dict) and keys:
            holder[hashable(keys[0])] = value
        elif isinstance(holder, list) and keys and isinstance(keys[0], int) and keys[0] < len(holder):
            holder[keys[0]] = value
    elif left.type in ("left_assignment_list", "destructured_left_assignment"):
        spread_values(ev, left.named_children, value, frame)


def spread_values(ev: Evaluator, targets: list[Node], value: Any, frame: Frame) -> None:
    """Give several names the elements of a value."""
    values = list(value) if isinstance(value, (list, tuple)) else [value]
    pay(len(values))
    for index, target in enumerate(targets):
        if target.type in ("rest_assignment", "splat_parameter"):
            if target.named_children:
                put_value(ev, target.named_children[0], values[index:], frame)
            return
        missing = value if is_unread(value) else None
        put_value(ev, target, values[index] if index < len(values) else missing, frame)


def read_element_holder(ev: Evaluator, node: Node, frame: Frame) -> Any:
    """What an index goes into."""
    holder = node.child_by_field_name("object")
    return None if holder is None else ev.value(holder, frame)


def read_element(ev: Evaluator, node: Node, frame: Frame) -> Any:
    """An element by its index, or those of a range."""
    holder = read_element_holder(ev, node, frame)
    first = node.named_children[1] if len(node.named_children) == 2 else None
    if first is not None and first.type == "range" and isinstance(holder, (list, tuple, str)):
        return _sliced(ev, holder, first, frame)
    keys = [ev.value(child, frame) for child in node.named_children[1:]]
    return ev.method(holder, Asked(name="[]", arguments=tuple(keys)), node, frame)


def _sliced(ev: Evaluator, holder: Any, node: Node, frame: Frame) -> Any:
    low, high = (
        None if end is None else ev.value(end, frame) for end in map(node.child_by_field_name, ("begin", "end"))
    )
    if not isinstance(low, (int, type(None))) or not isinstance(high, (int, type(None))):
        return ev.unread(frame.source, node)
    if high is not None and text_of(node.child_by_field_name("operator")) != "...":
        high = None if high == -1 else high + 1
    found = holder[low:high]
    (pay_for_text if isinstance(found, str) else pay)(len(found))
    return found


# Calls


def read_leave(ev: Evaluator, node: Node, frame: Frame) -> Any:
    """return, next and break."""
    values = [ev.value(child, frame) for each in node.named_children for child in each.named_children]
    raise Left(node.type, values[0] if len(values) == 1 else values or None)


def read_sequence(ev: Evaluator, node: Node, frame: Frame) -> Any:
    """Statements, of which the last is the value."""
    return ev.all([child for child in node.named_children if child.type not in _ASIDE], frame)


def read_lambda(ev: Evaluator, node: Node, frame: Frame) -> Any:
    """A lambda, which is no data."""
    return ev.unread(frame.source, node)


READERS: dict[str, Reader] = {
    **LITERALS,
    "nil": lambda *_: None,
    "true": lambda *_: True,
    "false": lambda *_: False,
    "comment": lambda *_: None,
    "heredoc_body": lambda *_: None,
    "constant": lambda ev, node, frame: ev.named(node, frame),
    "scope_resolution": lambda ev, node, frame: ev.scoped(node, frame),
    "identifier": read_identifier,
    "instance_variable": read_instance,
    "unary": read_unary,
    "binary": read_binary,
    "conditional": read_conditional,
    "if": read_conditional,
    "elsif": read_conditional,
    "unless": read_conditional,
    "if_modifier": read_modifier,
    "unless_modifier": read_modifier,
    "case": read_case,
    "while": read_while,
    "until": read_while,
    "for": read_for,
    "assignment": read_assign,
    "operator_assignment": read_assign_by,
    "element_reference": read_element,
    "call": lambda ev, node, frame: ev.call_value(node, frame),
    "super": lambda ev, node, frame: ev.super_value(node, frame),
    "return": read_leave,
    "next": read_leave,
    "break": read_leave,
    "parenthesized_statements": read_sequence,
    "body_statement": read_sequence,
    "block_body": read_sequence,
    "then": read_sequence,
    "else": read_sequence,
    "begin": read_sequence,
    "lambda": read_lambda,
}
