import type { Section } from './section.js';

export const beforeAndDuringCalls: Section = {
  heading: 'Before and during calls',
  statements: {
    'pre-dial.setting':
      'preDial is {url, timeoutMs, onError} of a batch or of the account; none leaves it out; the URL follows the rules of webhooks',
    'pre-dial.asked':
      'Recipients are asked about by signed POST before they are dialed; refused ones end failed, pre_dial_refused',
    'pre-dial.clock':
      'timezone in the metadata of an answer is the clock of the callee, as in a PATCH; one that is no zone is a useless answer if hours go by it',
    'pre-dial.errors': 'A useless answer is none: wait asks again, skip ends failed, dial calls',
    'pre-dial.once': 'Several dialers ask about and dial each recipient once, no more than are soon dialed',
    'pre-dial.fair': 'An endpoint that hangs holds no line and no other batch',
    'pre-dial.room': 'Endpoints that hang, of however many accounts, do not delay the questions of another account',
    'pre-dial.died': 'What a dialer that died has asked is asked again',
    'pre-dial.kill': 'Nobody who is refused is dialed and nobody is lost, wherever a dialer dies',
    'pre-dial.gate': 'No call leaves by an answer that has run out',
    'pre-dial.paused': 'A pause while the endpoint is asked holds',
    'pre-dial.changed': 'PATCH changes and removes the endpoint; answers of the one before do not count',
    'calls.listen': 'listen gives a hidden, silent place in the room of a live call: its holder hears both sides',
    'calls.listen.hidden': 'A listener is seen by nobody, and can neither speak nor send',
    'calls.listen.permission': 'Listening and whispering take the permission listen, which operate does not hold',
    'calls.whisper': 'whisper gives the agent of a live call an instruction, for its next words or at once',
    'calls.whisper.unheard': 'The callee hears nothing of a whisper',
  },
};
