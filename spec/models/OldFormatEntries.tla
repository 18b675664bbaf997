-------------------------- MODULE OldFormatEntries --------------------------
(***************************************************************************)
(* KAFKA-7897: leaders note their epoch when elected although the old      *)
(* message format has none to note with records. The cache has entries for *)
(* few records, and a follower cuts far too much by it.                    *)
(***************************************************************************)
EXTENDS MC
=============================================================================
