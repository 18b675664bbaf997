------------------------- MODULE CountsConfirmedIsr -------------------------
(***************************************************************************)
(* A leader that counts a larger ISR only when it hears of it commits what *)
(* the replica that has joined does not have; the controller may know of   *)
(* that one first.                                                         *)
(***************************************************************************)
EXTENDS MC
=============================================================================
