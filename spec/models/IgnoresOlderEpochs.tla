------------------------- MODULE IgnoresOlderEpochs -------------------------
(***************************************************************************)
(* Half of KAFKA-7415's mend: an epoch that a leader noted and never used  *)
(* stays in its cache, and the records of an older one, which a later      *)
(* leader sends, are taken for records of it.                              *)
(***************************************************************************)
EXTENDS MC
=============================================================================
