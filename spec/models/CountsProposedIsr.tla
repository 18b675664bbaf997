------------------------- MODULE CountsProposedIsr --------------------------
(***************************************************************************)
(* A leader that counts a smaller ISR before the controller has confirmed  *)
(* it commits what the replica that it left out does not have; and that    *)
(* one may have been elected already.                                      *)
(***************************************************************************)
EXTENDS MC
=============================================================================
