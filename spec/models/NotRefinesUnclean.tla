------------------------- MODULE NotRefinesUnclean --------------------------
(***************************************************************************)
(* The assumption of clean elections is needed: an unclean one takes from  *)
(* the log of the users, under every rule.                                 *)
(***************************************************************************)
EXTENDS Refinement
=============================================================================
