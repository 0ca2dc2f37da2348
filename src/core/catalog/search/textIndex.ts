import type { TimeSlices } from '../../../base/timeSlices';
import { stem } from './words';

/** BM25+ (Lv and Zhai, 2011): how soon a repeated word counts no more, how much length takes away, what any hit is worth. */
const SATURATION = 1.2;
const LENGTH = 0.7;
const PRESENCE = 0.5;
/** A word of the query from this length on finds the words that begin with it, too, for less than this share of the score. */
const PREFIX_LENGTH = 4;
const PREFIX_SHARE = 0.15;
const PREFIX_DECAY = 0.3;

/** The texts that have a term in one field, and how often each has it there. */
interface Postings {
  readonly texts: number[];
  readonly counts: number[];
}

/** Ranks texts of several fields, each field by itself (BM25+). A search rests after any of its steps. */
export class TextIndex {
  /** By term and field. */
  private readonly postings = new Map<string, (Postings | undefined)[]>();
  /** Terms by how they begin. */
  private readonly families = new Map<string, string[]>();
  /** How many different words each text has in each field; nothing of those that were deleted. */
  private readonly lengths: (readonly number[] | undefined)[] = [];
  private readonly totalLengths: number[];
  private size = 0;

  /** `boosts`: what a hit in each field counts. */
  constructor(private readonly boosts: readonly number[]) {
    this.totalLengths = boosts.map(() => 0);
  }

  /** Takes in a text by the words of each field → its number: the first is 0, the next 1. */
  add(fields: readonly (readonly string[])[]): number {
    const text = this.lengths.length;
    fields.forEach((words, field) => {
      const counts = new Map<string, number>();
      for (const word of words) {
        const term = stem(word);
        if (term !== undefined) {
          counts.set(term, (counts.get(term) ?? 0) + 1);
        }
      }
      for (const [term, count] of counts) {
        const { texts, counts: all } = this.postingsOf(term, field);
        texts.push(text);
        all.push(count);
      }
    });
    const lengths = fields.map((words) => new Set(words).size);
    this.lengths.push(lengths);
    this.count(lengths, 1);
    return text;
  }

  /** It is found no more, but takes up room: an index that most texts have left is better made anew. */
  delete(text: number): void {
    const lengths = this.lengths[text];
    if (lengths) {
      this.lengths[text] = undefined;
      this.count(lengths, -1);
    }
  }

  /** What each text scores for these words, by its number; 0 where it has none of them. Nothing may be added meanwhile. */
  async search(words: readonly string[], slices: TimeSlices): Promise<Float64Array> {
    const scores = new Float64Array(this.lengths.length);
    const found = new Uint16Array(scores.length);
    const wanted = words.map(stem).filter((term) => term !== undefined);
    for (const word of new Set(wanted)) {
      const times = wanted.filter((other) => other === word).length;
      const worth = new Float64Array(scores.length);
      for (const term of this.termsOf(word)) {
        const share = times * shareOf(term, word);
        this.postings.get(term)?.forEach((postings, field) => postings && this.addHits(worth, postings, field, share));
        if (slices.over) {
          await slices.next();
        }
      }
      worth.forEach((score, text) => {
        if (score > 0) {
          scores[text] = (scores[text] ?? 0) + score;
          found[text] = (found[text] ?? 0) + 1;
        }
      });
    }
    // A text with two of the words is more than twice as good as one with either.
    return scores.map((score, text) => score * (found[text] ?? 0));
  }

  private postingsOf(term: string, field: number): Postings {
    let fields = this.postings.get(term);
    if (!fields) {
      this.postings.set(term, (fields = []));
      const family = term.slice(0, PREFIX_LENGTH);
      const known = this.families.get(family);
      if (known) {
        known.push(term);
      } else {
        this.families.set(family, [term]);
      }
    }
    return (fields[field] ??= { texts: [], counts: [] });
  }

  private count(lengths: readonly number[], step: 1 | -1): void {
    this.size += step;
    lengths.forEach((length, field) => (this.totalLengths[field] = (this.totalLengths[field] ?? 0) + step * length));
  }

  /** The terms that a word of a query stands for. */
  private termsOf(word: string): readonly string[] {
    return word.length < PREFIX_LENGTH
      ? [word]
      : (this.families.get(word.slice(0, PREFIX_LENGTH)) ?? []).filter((term) => term.startsWith(word));
  }

  private addHits(worth: Float64Array, { texts, counts }: Postings, field: number, share: number): void {
    let frequency = 0;
    texts.forEach((text) => (frequency += this.lengths[text] ? 1 : 0));
    const hit = share * (this.boosts[field] ?? 0) * Math.log(1 + (this.size - frequency + 0.5) / (frequency + 0.5));
    const average = (this.totalLengths[field] ?? 0) / this.size;
    texts.forEach((text, index) => {
      const length = this.lengths[text]?.[field];
      if (length !== undefined) {
        const count = counts[index] ?? 0;
        const most = count + SATURATION * (1 - LENGTH + (LENGTH * length) / average);
        worth[text] = (worth[text] ?? 0) + hit * (PRESENCE + (count * (SATURATION + 1)) / most);
      }
    });
  }
}

/** How much of a hit it is that a text has this term where the query has this word, with which the term begins. */
function shareOf(term: string, word: string): number {
  const more = term.length - word.length;
  return more === 0 ? 1 : (PREFIX_SHARE * term.length) / (term.length + PREFIX_DECAY * more);
}
