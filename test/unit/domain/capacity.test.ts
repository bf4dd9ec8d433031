import { describe, expect, test } from 'vitest';
import { capacityFinding } from '../../../cli/doctor/capacity.js';
import { aboutHours, capacityOf, hoursOf, needsOf, secondsOfNumber } from '../../../domain/capacity.js';

const gateway = (maxConcurrentCalls: number, callsPerSecond = 1) => ({ maxConcurrentCalls, callsPerSecond });
const cost = { attempts: 1.3, ringSeconds: 15, answered: 1 / 3, talkSeconds: 60 };

describe('what an installation carries', () => {
  test.each([
    ['lines', { gateways: [gateway(10, 5)], agentSlots: 40, cores: 32 }, 10],
    ['pace', { gateways: [gateway(100, 0.5)], agentSlots: 40, cores: 32 }, 30],
    ['agents', { gateways: [gateway(40)], agentSlots: 8, cores: 2 }, 8],
    ['cores', { gateways: [gateway(40)], agentSlots: 20, cores: 2 }, 8],
    ['lines', { gateways: [gateway(40)], agentSlots: null, cores: 2 }, 40],
    ['agents', { gateways: [gateway(40)], agentSlots: 20, cores: null }, 20],
    ['agents', { gateways: [gateway(40)], agentSlots: 0, cores: 2 }, 0],
  ] as const)('is bound by its %s: %j', (bound, installation, callsAtOnce) => {
    expect(capacityOf(installation, 60)).toMatchObject({ bound, callsAtOnce });
  });

  test('a gateway with many lines and a slow pace does not lend its lines to a quick one with few', () => {
    const installation = { gateways: [gateway(100, 0.1), gateway(5, 50)], agentSlots: null, cores: null };
    expect(capacityOf(installation, 60)).toMatchObject({ byLines: 105, byPace: 11, bound: 'pace', callsAtOnce: 11 });
  });

  test('no list ends where nothing can be dialed', () => {
    const none = capacityOf({ gateways: [], agentSlots: 8, cores: 2 }, 60);
    expect(none.callsAtOnce).toBe(0);
    expect(hoursOf(10, none, 60)).toBeNull();
  });

  test('a list takes as long as its rounds of calls at once, or as long as it takes to begin them', () => {
    const slow = capacityOf({ gateways: [gateway(40)], agentSlots: 8, cores: 2 }, 60);
    expect(hoursOf(10_000, slow, 60)).toBeCloseTo((10_000 * 60) / 8 / 3_600, 1);
    const short = capacityOf({ gateways: [gateway(1_000, 1)], agentSlots: null, cores: null }, 10);
    expect(hoursOf(36_000, short, 10)).toBeCloseTo(10, 1);
  });

  test('hours are told as precisely as they are known', () => {
    expect([0.001, 0.5, 1.99, 2, 9.96, 20.8, 2_083].map(aboutHours)).toEqual([
      '1 min',
      '30 min',
      '119 min',
      '2.0 h',
      '10.0 h',
      '21 h',
      '2,083 h',
    ]);
  });
});

test('slots need cores while all talk, memory from the first ringing on, and a pace that keeps them busy', () => {
  expect(secondsOfNumber(cost)).toBeCloseTo(45.5);
  expect(needsOf(8, cost)).toEqual({
    ...{ agentCores: 2, liveKitCores: 0.64, agentMb: 1_570, oneMachineMb: 2_845 },
    callsPerSecond: 8 / 35,
  });
});

describe('what doctor says of it', () => {
  const example = { numbers: 10_000, seconds: 60 };

  test('names every limit, the one that is reached first, what raises it, and the hours of a list', () => {
    const finding = capacityFinding({ gateways: [gateway(40)], agentSlots: 8, cores: 4 }, example);
    expect(finding).toMatchObject({
      ...{ check: 'capacity', state: 'ok' },
      message:
        '40 calls at once by 1 gateway, 1 a second, 8 agent slots, 4 cores here, of which talking agents take 2: ' +
        'agents are the bound; 10,000 numbers of 60 s take about 21 h',
      remedy: expect.stringContaining('OUTDIAL_AGENT_SLOTS'),
      figures: { callsAtOnce: 8, bound: 'agents', hours: expect.closeTo(20.83, 1), numbers: 10_000, secondsEach: 60 },
    });
  });

  test('says that simulated calls need no agents, and over how many gateways a list would have to go', () => {
    const two = { gateways: [gateway(10, 50), gateway(10, 50)], agentSlots: null, cores: 2 };
    expect(capacityFinding(two, example).message).toBe(
      '20 calls at once by 2 gateways, 100 a second, agents are simulated: the lines of the trunks are the bound; ' +
        '10,000 numbers of 60 s take about 8.3 h, over all gateways',
    );
  });

  test.each([
    [{ gateways: [gateway(40)], agentSlots: 0, cores: 2 }, 'no agent worker offers a slot now'],
    [{ gateways: [], agentSlots: 8, cores: 2 }, 'no gateway takes calls now'],
  ])('warns if nothing can be dialed: %j', (installation, why) => {
    expect(capacityFinding(installation, example)).toMatchObject({
      ...{ state: 'warning', message: `0 calls at once: ${why}`, remedy: expect.any(String) },
      figures: { hours: null, callsAtOnce: 0 },
    });
  });
});
