"""Text: segmentation, folding, sentences, and cues that say whether something is there."""
