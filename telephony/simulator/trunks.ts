import { createTrunk, type Faults, type Setting, type Trunk } from './trunk.js';

/** The trunks that have been dialed by, and how each misbehaves. A trunk is a gateway's id: none needs registering. */
export interface Trunks {
  of(gatewayId: string): Trunk;
  /** The faults in force for a gateway: its own settings, over those for all. */
  faultsOf(gatewayId: string): Setting;
  set(faults: Faults): void;
  ids(): readonly string[];
}

export function createTrunks(forAll: Setting): Trunks {
  let general: Setting = forAll;
  const trunks = new Map<string, Trunk>();
  const own = new Map<string, Setting>();
  return {
    of(gatewayId) {
      const trunk = trunks.get(gatewayId) ?? createTrunk();
      trunks.set(gatewayId, trunk);
      return trunk;
    },
    faultsOf: (gatewayId) => ({ ...general, ...own.get(gatewayId) }),
    set({ gatewayId, ...setting }) {
      if (gatewayId === undefined) general = { ...general, ...setting };
      else own.set(gatewayId, { ...own.get(gatewayId), ...setting });
    },
    ids: () => [...new Set([...trunks.keys(), ...own.keys()])],
  };
}
