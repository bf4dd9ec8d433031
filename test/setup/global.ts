/** Vitest's global set-up: what every suite shares is started here once and stopped at the end. */
export default function setup(): void {
  // Parts that need a server (Postgres, Temporal, the simulator) are added by the suites that use them.
}
