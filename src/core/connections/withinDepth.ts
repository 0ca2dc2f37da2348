import type { DepthBound } from '../../base/slicedJson';
import { wasReadInSlices } from '../../base/jsonSize';

/** Levels of nesting that are kept of what servers send: far more than anybody writes, far less than recursion takes. */
const maxDepth = 500;
const placeholder = '[Portico: left out, nested too deeply]';

/** The same bound for what is read in slices. */
export const depthBound: DepthBound = { levels: maxDepth, standIn: placeholder };

/** The value itself, or a copy that ends in placeholders where it is nested so deeply that writing it down would fail. */
export function withinDepth(value: unknown): unknown {
  return isDeeper(value, maxDepth) ? cut(value, maxDepth) : value;
}

function isDeeper(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  if (left === 0) {
    return true;
  }
  if (wasReadInSlices(value)) {
    return false;
  }
  if (Array.isArray(value)) {
    return value.some((item) => isDeeper(item, left - 1));
  }
  // Every answer passes here, long lists too, so nothing is copied; parsed JSON has no inherited names.
  for (const name in value) {
    if (isDeeper((value as Record<string, unknown>)[name], left - 1)) {
      return true;
    }
  }
  return false;
}

function cut(value: unknown, left: number): unknown {
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (left === 0) {
    return placeholder;
  }
  return Array.isArray(value)
    ? value.map((item) => cut(item, left - 1))
    : Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cut(item, left - 1)]));
}
