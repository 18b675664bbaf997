---------------------- MODULE NoUncleanElectionNeeded -----------------------
(***************************************************************************)
(* A common belief is that logs diverge below the high watermark only      *)
(* after an unclean election. Under own-high-watermark truncation two      *)
(* clean elections and one crash are enough.                               *)
(***************************************************************************)
EXTENDS MC
=============================================================================
