import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findLiveKitServer, type LiveKitServer, startLiveKitServer } from '../setup/livekit-server.js';
import { processTable, descendantsOf } from '../soak/process-table.js';
import { runService, type RunningService, until } from './running-service.js';

const isInstalled = existsSync(join(import.meta.dirname, '../../agent/dist/agent/main.js'));
const liveKitProgram = findLiveKitServer();
const missing = liveKitProgram === undefined ? 'LIVEKIT_SERVER_BIN' : isInstalled ? undefined : 'agent/';
const program = join(import.meta.dirname, '../../dist/cli/main.js');

describe.skipIf(missing !== undefined)(
  `\`up --provider livekit\` on a real LiveKit (needs ${missing ?? 'nothing more'})`,
  () => {
    let liveKit: LiveKitServer;
    let service: RunningService;

    beforeAll(async () => {
      liveKit = await startLiveKitServer(liveKitProgram ?? '');
      service = await runService({
        real: true,
        env: {
          ...{ LIVEKIT_URL: liveKit.url, LIVEKIT_API_KEY: liveKit.apiKey, LIVEKIT_API_SECRET: liveKit.apiSecret },
          ...{ OUTDIAL_AGENT_SLOTS: '2', OUTDIAL_AGENT_WARM: '1' },
        },
      });
    });
    afterAll(async () => {
      await service.stop();
      await liveKit.close();
      rmSync(service.folder, { recursive: true, force: true });
    });

    const outdial = (args: readonly string[]) =>
      new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
        execFile(process.execPath, [program, ...args, '--data', service.folder], (error, stdout, stderr) =>
          resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
        );
      });
    const found = async (check: string): Promise<string> => {
      const { stdout } = await outdial(['doctor', '-o', 'json']);
      const findings = JSON.parse(stdout) as { check: string; message: string }[];
      return findings.find((finding) => finding.check === check)?.message ?? 'not looked at';
    };
    const agentSlots = () => found('agent workers of default');
    /** Ids of the processes of `up` that are agent workers. */
    const agentWorkers = (): number[] =>
      execFileSync('pgrep', ['-P', String(service.pid)], { encoding: 'utf8' })
        .trim()
        .split('\n')
        .map(Number)
        .filter((pid) => {
          try {
            return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[2] === 'agent';
          } catch {
            return false; // it has ended meanwhile
          }
        });

    test('it is ready when its agent worker has registered and takes calls; no carrier is simulated', async () => {
      expect(service.said()).toContain('The agent worker is ready: it takes 1 call at once');
      expect(service.said()).toContain('Calls are real');
      expect(service.said()).toContain('! SIP of default: LiveKit cannot reach telephones');
      expect(service.ready()).toMatchObject({ provider: 'livekit', carrierUrl: null, carrierLedger: null });
      expect(service.ready().pids.agent).toBe(agentWorkers()[0]);
      expect(service.ready().pids).not.toHaveProperty('carrier');
      expect(await agentSlots()).toContain('1 slots');
      // Carriers begin with one call a second: the pace of the simulator would be refused.
      const { body } = await service.request('POST', '/v2/sip/phone-numbers', {
        ...{ name: 'Line', phoneNumbers: ['+12025550100'] },
        outbound: { address: 'sip.example.com', transport: 'udp' },
      });
      expect(body).toMatchObject({ message: expect.any(String) });
      const overview = await service.request('GET', '/v1/overview');
      expect(overview.body.gateways).toMatchObject([{ callsPerSecond: 1 }]);
      // One process is warm now; what counts is how many it is set to take.
      expect(await found('capacity')).toMatch(/1 a second, 2 agent slots, \d+ cores? here.*: agents are the bound/);
    });

    test('an agent worker that is killed is started again and registers; none of its processes is left beside the new ones', async () => {
      const { agent } = service.ready().pids;
      const ofTheFirst = descendantsOf([agent]);
      expect(ofTheFirst.length).toBeGreaterThan(0);
      service.signal('agent', 'SIGKILL');
      await until(() => service.said().includes('agent runs again'));
      expect(service.ready().pids.agent).not.toBe(agent);
      expect(agentWorkers()).toEqual([service.ready().pids.agent]);
      await until(() => processTable().every(({ pid }) => !ofTheFirst.includes(pid)));
      await until(async () => (await agentSlots()).includes('1 slots'));
      expect(agentWorkers()).toEqual([service.ready().pids.agent]);
    });

    test('the demo, which calls whatever file it is given, is refused beside real calls', async () => {
      const { code, stderr } = await outdial(['demo']);
      expect({ code, stderr }).toEqual({ code: 5, stderr: expect.stringContaining('makes real calls') });
    });

    test('Ctrl-C ends agents and everything else, and the folder is not simulated on afterwards', async () => {
      const all = descendantsOf([service.pid]);
      await service.stop();
      expect(service.said()).toContain('Nothing more is dialed; conversations end first');
      expect(processTable().filter(({ pid }) => all.includes(pid))).toEqual([]);
      const { code, stderr } = await outdial(['up', '--port', '0']);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('holds real calls') });
    });
  },
);
