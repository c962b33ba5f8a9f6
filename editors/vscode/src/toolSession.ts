import type { Server } from './client';
import { type SessionInfo, SessionRequest, SessionsRequest } from './protocol';

/** What hooks and the MCP server call the agent of VS Code. */
const agent = 'vscode';

/** The session of the tools where no hooks have begun one. */
const own = 'vscode';

/** The session that hooks of VS Code have begun, if there is one and no more. */
export function hookSession(sessions: readonly SessionInfo[]): string | undefined {
  const live = sessions.filter(
    (session) =>
      session.agent === agent &&
      session.ended !== true &&
      session.id !== own &&
      !/^vscode-[0-9a-f]{8}$/.test(session.id), // of an MCP server
  );
  return live.length === 1 ? live[0]?.id : undefined;
}

/**
 * The session of VS Code's own agent: that of its hooks, else one of its own,
 * which its MCP server joins. It is not the session that is shown: what another
 * agent has read, this one has not.
 */
export class ToolSession {
  private begun = 0; // in the server of this process

  constructor(private readonly server: Server) {}

  /** The session of the next call, which is begun if need be. */
  async id(): Promise<string> {
    const { sessions } = await this.server.request(SessionsRequest, {});
    const hooks = hookSession(sessions);
    if (hooks !== undefined) {
      return hooks;
    }
    const pid = this.server.running?.pid ?? 0;
    if (this.begun !== pid) {
      await this.server.request(SessionRequest, { session: own, event: 'start', agent });
      this.begun = pid;
    }
    return own;
  }
}
