"""Prints, for each Python file named on stdin, what it declares, as one line of
JSON: {"path": ..., "declarations": [{"kind", "name", "first", "last"}]}. A file
that this Python cannot parse has "declarations": null."""

import ast
import json
import sys
import warnings

warnings.simplefilter("ignore")


def declarations(tree):
    found = []

    def add(kind, name, node):
        found.append({"kind": kind, "name": name, "first": node.lineno, "last": node.end_lineno})

    def bind(target, statement):
        if isinstance(target, ast.Name):
            upper = target.id.upper() == target.id and target.id.lower() != target.id
            if target.id != "_":
                add("constant" if upper else "variable", target.id, statement)
        elif isinstance(target, (ast.Tuple, ast.List)):
            for element in target.elts:
                bind(element, statement)
        elif isinstance(target, ast.Starred):
            bind(target.value, statement)

    def visit(statement, scope):
        prefix = scope + "." if scope else ""
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if statement.name != "_":
                add("method" if scope else "function", prefix + statement.name, statement)
        elif isinstance(statement, ast.ClassDef):
            add("class", prefix + statement.name, statement)
            for member in statement.body:
                visit(member, prefix + statement.name)
        elif isinstance(statement, ast.Assign) and not scope:
            for target in statement.targets:
                bind(target, statement)
        elif isinstance(statement, ast.AnnAssign) and not scope:
            bind(statement.target, statement)
        else:
            for field in ("body", "orelse", "finalbody"):
                for inner in getattr(statement, field, None) or []:
                    if isinstance(inner, ast.stmt):
                        visit(inner, scope)
            for part in (getattr(statement, "handlers", None) or []) + (getattr(statement, "cases", None) or []):
                for inner in part.body:
                    visit(inner, scope)

    for statement in tree.body:
        visit(statement, "")
    return found


for line in sys.stdin:
    path = line.rstrip("\n")
    try:
        with open(path, "rb") as file:
            found = declarations(ast.parse(file.read()))
    except (SyntaxError, ValueError, RecursionError):
        found = None
    print(json.dumps({"path": path, "declarations": found}))
