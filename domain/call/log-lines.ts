/** The line of a call that is over without (another) INVITE, whoever has ended it: dialer, API or worker. */
export const endedUndialed = 'a call ended without being dialed';
