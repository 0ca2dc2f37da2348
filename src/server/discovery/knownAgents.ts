import type { AgentClient } from '../serverTypes';

/** The agents that Portico knows by name. Each has a token of its own in a window's record, which `bridge --client` takes. */
export const knownAgents: readonly AgentClient[] = [
  { id: 'claude-code', label: 'Claude Code' },
  { id: 'codex', label: 'Codex' },
  { id: 'gemini-cli', label: 'Gemini CLI' },
  { id: 'cursor', label: 'Cursor' },
  { id: 'copilot-cli', label: 'GitHub Copilot CLI' },
  { id: 'claude-desktop', label: 'Claude Desktop' },
];

/** Whoever starts the bridge without a name. */
export const otherAgent: AgentClient = { id: 'bridge', label: 'Another agent' };
