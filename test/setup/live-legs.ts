/** What is read here of a line of the ledger. */
interface LegLine {
  readonly event: string;
  readonly callId?: string;
  readonly attempt?: number;
  readonly invite?: number;
}

/** The most legs that were live at once at the carrier, by its own ledger, of those whose INVITE is of interest. */
export function mostLiveLegs<Line extends LegLine>(
  ledger: readonly Line[],
  isOfInterest: (invite: Line) => boolean,
): number {
  const live = new Set<string>();
  let most = 0;
  for (const line of ledger) {
    const leg = `${line.callId ?? ''}/${line.attempt ?? ''}/${line.invite ?? ''}`;
    if (line.event === 'invite' && isOfInterest(line)) live.add(leg);
    else if (line.event === 'ended' || line.event === 'rejected') live.delete(leg);
    most = Math.max(most, live.size);
  }
  return most;
}
