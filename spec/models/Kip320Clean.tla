---------------------------- MODULE Kip320Clean -----------------------------
(***************************************************************************)
(* KIP-320: requests carry the leader epoch and a leader of another epoch  *)
(* refuses them; a follower truncates on any new epoch, and joins the ISR  *)
(* only from the start of the leader's epoch on. All properties hold, with *)
(* clean elections and crashes.                                            *)
(***************************************************************************)
EXTENDS MC
=============================================================================
