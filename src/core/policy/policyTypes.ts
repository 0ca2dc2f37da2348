import type { CallToolResult } from '@modelcontextprotocol/client';
import type { ReadonlySignal } from '@preact/signals-core';
import type { Problem } from '../../base/errors';
import type { CatalogTool, ToolRef } from '../catalog/catalogTypes';
import type { ServerDefinition } from '../config/configTypes';
import type { RequestOptions } from '../connections/connectionTypes';

/**
 * Who makes a call. `chat` (the editor's chat through a definition) has been asked by the editor, `manual` (Run Tool's
 * form) and `cli` are their own asking; `participant` and `broker` are asked by Portico; `agent` too.
 */
export interface Caller {
  readonly kind: 'chat' | 'participant' | 'broker' | 'manual' | 'agent' | 'cli';
  /** As people read it in Activity: "chat", "@portico", "Claude Code". */
  readonly label: string;
}

export interface CallOptions extends RequestOptions {
  readonly caller: Caller;
}

export type CallOutcome = 'waiting' | 'running' | 'ok' | 'toolError' | 'failed' | 'denied' | 'cancelled';

/** One call of one tool, from the moment it was asked for; `startedAt` in milliseconds since the epoch. */
export interface CallRecord {
  readonly id: string;
  readonly startedAt: number;
  readonly durationMs?: number;
  readonly caller: Caller;
  readonly ref: ToolRef;
  readonly key: string;
  readonly exposedName: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly outcome: CallOutcome;
  readonly problem?: Problem;
  readonly result?: CallToolResult;
}

export interface CallLog {
  /** Newest first, bounded. */
  readonly records: ReadonlySignal<readonly CallRecord[]>;
  clear(): void;
}

/** One value that does not fit the tool's schema. `path` is a JSON Pointer into the arguments; empty for the whole. */
export interface ArgumentFault {
  readonly path: string;
  readonly message: string;
}

/** What is wrong with a value: in a sentence, and each fault at its place. */
export interface Misfit {
  readonly sentence: string;
  readonly faults: readonly ArgumentFault[];
}

/**
 * Checks one value; nothing where it fits. `onSkipped` is told, in half a sentence each, which rules of the schema were
 * left out: "the pattern …, which cannot be run safely".
 */
export type Check = (value: unknown, onSkipped?: (what: string) => void) => Misfit | undefined;

/** Why arguments may not leave; `faults` lets a form show each reason at its field. */
export interface ArgumentsProblem extends Problem {
  readonly faults?: readonly ArgumentFault[];
}

export type ApprovalAnswer =
  | { readonly kind: 'deny' }
  | { readonly kind: 'allow'; readonly duration: 'once' | 'session' | 'always'; readonly scope: 'tool' | 'server' };

/** A call that waits for the person. The whole arguments are part of the question. */
export interface ApprovalRequest {
  readonly id: string;
  readonly caller: Caller;
  readonly tool: CatalogTool;
  readonly args: Readonly<Record<string, unknown>>;
  readonly askedAt: number;
}

/** The port by which the queue puts one question at a time. Absent answer (dialog closed) means: leave it waiting. */
export interface ApprovalUi {
  ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer | undefined>;
}

export interface Approvals {
  /** Oldest first. */
  readonly waiting: ReadonlySignal<readonly ApprovalRequest[]>;
  answer(id: string, answer: ApprovalAnswer): void;
  /** How a call that does not wait any more was answered, of the last ones; nothing where it was withdrawn. */
  answerOf(id: string): ApprovalAnswer | undefined;
  /** Takes back what was allowed for this session or for good; for one server, or all. */
  forget(server?: string): Promise<void>;
}

export type ConsentAnswer = 'run' | 'keepOff' | 'later';

/** The port that shows whole command lines (or URLs and header names) and asks whether they may run. */
export interface ConsentUi {
  ask(definitions: readonly ServerDefinition[]): Promise<ReadonlyMap<string, ConsentAnswer>>;
}

/** Consent to run a server, bound to its `consentDigest`. */
export interface Consent {
  /** Bumped whenever an answer changes, so that what is derived from `stateOf` follows. */
  readonly version: ReadonlySignal<number>;
  stateOf(definition: ServerDefinition): 'approved' | 'needed' | 'refused';
  approve(definition: ServerDefinition): Promise<void>;
  refuse(definition: ServerDefinition): Promise<void>;
}

/** The port to the connections: one call of a tool as the server names it. */
export type CallUpstream = (
  ref: ToolRef,
  args: Readonly<Record<string, unknown>>,
  options: RequestOptions,
) => Promise<CallToolResult>;

/** A piece of a result for a model, before it takes the form of some API. `base64` is valid and has the type that is said. */
export type ModelPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly mimeType: string; readonly base64: string }
  | { readonly kind: 'data'; readonly mimeType: string; readonly base64: string };

/** Marks a text block that Portico added to a result; its value says why. Everybody downstream shows it as text. */
export const noteKey = 'portico/note';
