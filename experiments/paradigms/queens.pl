% Constraint programming in Prolog: as the example queens_fd.pl of GNU Prolog (D. Diaz, 1993), for any of the three goals.
% Usage: queens-gprolog N GOAL leftmost|first-fail
:- initialization(main).

main :-
    argument_list([N0, Goal, Order]),
    number_atom(N, N0),
    method(Order, Method),
    run(Goal, N, Method).

method(leftmost, standard).
method('first-fail', ff).

run(first, N, H) :- ( queens(N, Qs, H) -> show(Qs) ; write('no solution'), nl ).
run(enumerate, N, H) :- ( queens(N, Qs, H), show(Qs), fail ; true ).
run(count, N, H) :-
    g_assign(found, 0),
    ( queens(N, _, H), g_inc(found), fail ; true ),
    g_read(found, Found), write(Found), nl.

queens(N, Qs, Heuristic) :-
    length(Qs, N),
    fd_domain(Qs, 1, N),
    safe(Qs),
    fd_labeling(Qs, [variable_method(Heuristic)]).

safe([]).
safe([Q | Qs]) :- no_attack(Q, Qs, 1), safe(Qs).

no_attack(_, [], _).
no_attack(Q, [Q1 | Qs], D) :-
    Q #\= Q1, Q #\= Q1 + D, Q #\= Q1 - D,
    D1 is D + 1,
    no_attack(Q, Qs, D1).

show([Q]) :- write(Q), nl.
show([Q, R | Qs]) :- write(Q), write(' '), show([R | Qs]).
