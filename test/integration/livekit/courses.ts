/**
 * What the fake LiveKit does with a call, by the number it is placed to. Each course answers with what a real LiveKit
 * answered when it was measured: HTTP status, Twirp code, message and metadata, the last `sip.callStatus` and the reason with
 * which the callee's participant left. Times are shortened if only their order matters.
 */
export interface Course {
  /** When a 18x comes; left out: never. */
  readonly ringMs?: number;
  /** When it ends, if it ends before the ring timeout. */
  readonly end?: { readonly afterMs: number } & CourseEnd;
  /** Whether an INVITE leaves LiveKit at all. Default true. */
  readonly sends?: boolean;
  /** Whether an agent comes when it is dispatched. Default true. */
  readonly agent?: boolean;
}

export type CourseEnd =
  | { readonly how: 'answer'; readonly talkMs: number }
  | { readonly how: 'error'; readonly answer: TwirpError; readonly left: number }
  /** The connection of the request breaks, and its answer is lost. */
  | { readonly how: 'broken' }
  /** Something between answers 200 in LiveKit's place, with this body. */
  | { readonly how: 'other'; readonly body: object };

export interface TwirpError {
  readonly status: number;
  readonly code: string;
  readonly msg: string;
  readonly meta?: Readonly<Record<string, string>>;
}

/** LiveKit's DisconnectReason by name. */
export const left = {
  clientInitiated: 1,
  serverShutdown: 3,
  participantRemoved: 4,
  roomDeleted: 5,
  unavailable: 11,
  rejected: 12,
  connectionTimeout: 14,
} as const;

const forLong = 600_000;
const quickly = 30;

/** A final SIP response, with the HTTP status and Twirp code under which LiveKit passes it on. */
const sip = (code: number, status: number, twirp: string, reason: number, phrase = ''): Course => ({
  end: {
    ...{ how: 'error', afterMs: quickly, left: reason },
    answer: {
      ...{ status, code: twirp, msg: `sip status ${code}` },
      meta: { sip_status_code: String(code), sip_status: phrase === '' ? `SIP_STATUS_${code}` : phrase },
    },
  },
});

const error = (status: number, code: string, msg: string, reason: number, sends = true): Course => ({
  end: { how: 'error', afterMs: quickly, left: reason, answer: { status, code, msg } },
  sends,
});

const ringing = (course: Course, ringMs = quickly): Course => ({
  ...course,
  ringMs,
  ...(course.end === undefined ? {} : { end: { ...course.end, afterMs: ringMs + 250 } }),
});

const answering = (talkMs: number, ringMs = 60): Course => ({
  ringMs,
  end: { how: 'answer', afterMs: ringMs + 250, talkMs },
});

/** The measured table, row by row. */
export const courses = {
  'answers and talks a little': answering(700),
  'answers and talks for long': answering(forLong),
  'answers, and no agent comes': { ...answering(forLong), agent: false },
  'answers at once': { end: { how: 'answer', afterMs: 10, talkMs: 300 } },
  'rings for long': { ringMs: 60 },
  'is tried for long': {},
  '486': sip(486, 429, 'resource_exhausted', left.rejected, 'Busy Here'),
  '486 after ringing': ringing(sip(486, 429, 'resource_exhausted', left.rejected, 'Busy Here')),
  '600': sip(600, 429, 'resource_exhausted', left.rejected, 'Busy Everywhere'),
  '480': sip(480, 429, 'resource_exhausted', left.unavailable, 'Temporarily Unavailable'),
  '480 after ringing': ringing(sip(480, 429, 'resource_exhausted', left.unavailable, 'Temporarily Unavailable')),
  '480 after ringing for a moment': {
    ...sip(480, 429, 'resource_exhausted', left.unavailable, 'Temporarily Unavailable'),
    ringMs: 5,
  },
  '603': sip(603, 403, 'permission_denied', left.rejected, 'Decline'),
  '607': sip(607, 403, 'permission_denied', left.rejected, 'Unwanted'),
  '608': sip(608, 403, 'permission_denied', left.rejected, 'Rejected'),
  '403': sip(403, 403, 'permission_denied', left.rejected, 'Forbidden'),
  '403 channel limit': sip(403, 403, 'permission_denied', left.rejected, 'User channel limit exceeded D1'),
  '407': sip(407, 401, 'unauthenticated', left.rejected, 'Proxy Authentication Required'),
  '404': sip(404, 404, 'not_found', left.unavailable, 'Not Found'),
  '408': sip(408, 408, 'deadline_exceeded', left.unavailable, 'Request Timeout'),
  '408 after ringing': ringing(sip(408, 408, 'deadline_exceeded', left.unavailable, 'Request Timeout')),
  '484': sip(484, 400, 'invalid_argument', left.rejected, 'Address Incomplete'),
  '429': sip(429, 400, 'invalid_argument', left.rejected, 'Too Many Requests'),
  '487': sip(487, 409, 'aborted', left.rejected, 'Request Terminated'),
  '487 after ringing': ringing(sip(487, 409, 'aborted', left.rejected, 'Request Terminated')),
  '500': sip(500, 412, 'failed_precondition', left.clientInitiated, 'Server Internal Error'),
  '503': sip(503, 412, 'failed_precondition', left.clientInitiated),
  '503 rate limit': sip(503, 412, 'failed_precondition', left.clientInitiated, 'Trunk CPS limit exceeded'),
  '302': sip(302, 404, 'not_found', left.unavailable, 'Moved Temporarily'),
  '504': sip(504, 408, 'deadline_exceeded', left.unavailable, 'Server Time-out'),
  '401 without credentials': error(
    412,
    'failed_precondition',
    'server required auth, but no credentials',
    left.rejected,
  ),
  'wrong password': error(412, 'failed_precondition', 'max auth retry attempts reached', left.rejected),
  'refused connection': error(412, 'failed_precondition', 'dial err: connection refused', left.clientInitiated),
  'bad certificate': error(412, 'failed_precondition', 'x509: certificate signed by unknown authority', 1),
  'INVITE too long': error(
    412,
    'failed_precondition',
    'size of packet larger than MTU. transaction transport error',
    left.clientInitiated,
    false,
  ),
  'header too long': error(
    400,
    'invalid_argument',
    'invalid header value for X-Long: header X-Long: value too long (max 1024 characters)',
    left.clientInitiated,
    false,
  ),
  'unknown host': error(400, 'invalid_argument', 'fail to resolve: no such host', left.clientInitiated),
  'codec mismatch': error(412, 'failed_precondition', 'no common codec', left.clientInitiated),
  'no response': error(408, 'canceled', 'transaction failed to complete (0 intermediate responses)', left.unavailable),
  'stalls after a 100': error(
    408,
    'canceled',
    'transaction failed to complete (1 intermediate responses)',
    left.unavailable,
  ),
  'LiveKit SIP busy': error(503, 'unavailable', 'cpu exhausted', 0, false),
  'LiveKit SIP down': error(503, 'unavailable', 'no response from servers', 0, false),
  'LiveKit SIP dies': ringing(error(503, 'unavailable', 'no response from servers', left.connectionTimeout)),
  'LiveKit SIP draining': error(408, 'canceled', 'service shutting down', left.clientInitiated),
  'room fails': error(500, 'internal', 'update room failed: timeout', 0, false),
  'limit, though it rang': ringing(error(429, 'resource_exhausted', 'too many requests', left.clientInitiated)),
  'key refused, though it rang': ringing(error(401, 'unauthenticated', 'invalid token', left.clientInitiated)),
  'limit, though it had joined': error(429, 'resource_exhausted', 'too many requests', left.clientInitiated),
  'another answers 200': {
    end: { how: 'other', afterMs: quickly, body: { error: 'under maintenance' } },
    sends: false,
  },
  'connection breaks': { ringMs: 20, end: { how: 'broken', afterMs: 120 } },
} as const satisfies Readonly<Record<string, Course>>;

export type CourseName = keyof typeof courses;

const names = Object.keys(courses) as CourseName[];
const prefix = '+1555010';

/** The number whose calls take this course. */
export const numberOf = (name: CourseName): string => `${prefix}${String(names.indexOf(name)).padStart(4, '0')}`;

/** @param dialed in whichever format the trunk wants it */
export function courseOf(dialed: string): Course {
  const name = names[Number(dialed.slice(-4))];
  if (name === undefined) throw new Error(`The fake knows no course for ${dialed}.`);
  return courses[name];
}
