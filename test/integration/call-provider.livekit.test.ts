import { describeCallProvider } from './call-provider-conformance.js';
import { liveKitUnderTest } from './livekit/harness.js';

describeCallProvider('LiveKit (a fake of its API)', liveKitUnderTest);
