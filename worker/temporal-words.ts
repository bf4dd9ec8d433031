import { isGrpcServiceError } from '@temporalio/client';
import { connectionWords, lateWords } from '../domain/connection-words.js';

/** Codes of gRPC. */
export const grpc = {
  deadlineExceeded: 4,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  unimplemented: 12,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** The code that Temporal, or the way to it, has answered with; undefined: the error is of something else. */
export const grpcCodeOf = (error: unknown): number | undefined => grpcErrorIn(error)?.code;

/** Where Temporal is, and what is asked for there. */
export interface TemporalPlace {
  readonly address: string;
  readonly namespace: string;
}

/** What is wrong with Temporal, in words instead of the codes of gRPC, and what to do. */
export interface TemporalTrouble {
  readonly message: string;
  readonly remedy: string;
}

/** @returns undefined if the error is of something else */
export function temporalTrouble(error: unknown, { address, namespace }: TemporalPlace): TemporalTrouble | undefined {
  const found = grpcErrorIn(error);
  if (found === undefined) return undefined;
  const { code, details } = found;
  const where = `Temporal at ${address}`;
  const answers = `${where} answers: ${sentence(details)}`;
  switch (code) {
    case grpc.deadlineExceeded:
      return {
        message: `${where} cannot be asked: ${lateWords(waitedMs(details))}.`,
        remedy: 'See that it runs and has not too much to do, and that TEMPORAL_ADDRESS names it; then try again.',
      };
    case grpc.unavailable:
      return {
        message: `${where} cannot be asked: ${unavailableWords(details)}.`,
        remedy: 'See that it runs, and that TEMPORAL_ADDRESS and, for Temporal Cloud, TEMPORAL_API_KEY are right.',
      };
    case grpc.notFound:
      return {
        message: answers,
        remedy:
          `See that TEMPORAL_NAMESPACE is right: it is ${namespace}. ` +
          `A new namespace is made with \`temporal operator namespace create --namespace ${namespace}\`.`,
      };
    case grpc.permissionDenied:
    case grpc.unauthenticated:
      return {
        message: `${where} refuses this in the namespace ${namespace}: ${sentence(details)}`,
        remedy: 'See that TEMPORAL_NAMESPACE and TEMPORAL_API_KEY are right.',
      };
    case grpc.resourceExhausted:
      return { message: answers, remedy: 'It has too much to do: try again later.' };
    case grpc.unimplemented:
      return { message: answers, remedy: 'See that TEMPORAL_ADDRESS names a Temporal server 1.29.1 or newer.' };
    default:
      return { message: answers, remedy: 'See the log of Temporal.' };
  }
}

function grpcErrorIn(error: unknown): { readonly code: number; readonly details: string } | undefined {
  if (isGrpcServiceError(error)) return error;
  return error instanceof Error ? grpcErrorIn(error.cause) : undefined;
}

/** The client's own limit, which it names: "Deadline exceeded after 20.001s,…". What is left of one may be less than a second. */
function waitedMs(details: string): number | undefined {
  const [, seconds] = /after ([\d.]+)s/.exec(details) ?? [];
  return seconds === undefined ? undefined : Math.max(1, Math.round(Number(seconds))) * 1_000;
}

/** TLS is on only with a key: a server that wants it closes a connection without. */
function unavailableWords(details: string): string {
  if (/Protocol error|Failed to connect|ECONNRESET/.test(details)) {
    return 'what listens there does not answer as Temporal does, or it wants TLS, which TEMPORAL_API_KEY turns on';
  }
  return connectionWords(new Error(details)) ?? 'there is no connection to it';
}

const sentence = (details: string): string => (/[.!?]$/.test(details) ? details : `${details}.`);
