import * as vscode from 'vscode';
import type { Lookup, Settings } from './serverSettings';

export const setting: Lookup = <K extends keyof Settings>(key: K) =>
  vscode.workspace.getConfiguration('acode').get<unknown>(key) as Settings[K];

/** Writes a setting of the user. */
export async function updateSetting<K extends keyof Settings>(key: K, value: Settings[K]): Promise<void> {
  await vscode.workspace.getConfiguration('acode').update(key, value, vscode.ConfigurationTarget.Global);
}
