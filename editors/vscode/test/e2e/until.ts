// Tests wait for states, never for time.

/** How long a state may take on a busy machine. */
export const patience = 15_000;

/** Awaits that probe gives something truthy; what names the state in the error. */
export async function until<T>(
  what: string,
  probe: () => Promise<T | false | null | undefined | ''> | T | false | null | undefined | '',
  deadline = patience,
): Promise<T> {
  const end = Date.now() + deadline;
  let last: unknown;
  for (;;) {
    try {
      const value = await probe();
      if (value) return value;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) {
      const cause = last instanceof Error ? `: ${last.message}` : '';
      throw new Error(`not within ${deadline / 1000} s: ${what}${cause}`, { cause: last });
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Awaits that check no longer throws, and throws its last error otherwise. */
export async function eventually(check: () => Promise<void> | void, deadline = patience): Promise<void> {
  let last: unknown;
  await until(
    'a check passes',
    async () => {
      try {
        await check();
        return true;
      } catch (error) {
        last = error;
        return false;
      }
    },
    deadline,
  ).catch((error: unknown) => {
    throw last ?? error;
  });
}
