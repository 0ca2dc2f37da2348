/** What the client tells the server when it starts. */
export interface ConfigFileKinds {
  /** Path of the user's `mcp.json`, which no name tells from others. */
  readonly userMcpJson: string;
}
