/** What an address holds that names no run is left out. */
export function runsSearchOf({ run }: Record<string, unknown>): { run?: number } {
  return /^[1-9]\d{0,8}$/.test(String(run)) ? { run: Number(run) } : {};
}
