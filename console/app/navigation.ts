/** Where the navigation leads, in its order. `exact`: the pages below an address are other entries; `operates`: not for who may only read. */
export const navigation = [
  { to: '/', label: 'Overview', exact: true },
  { to: '/new', label: 'New batch call', exact: true, operates: true },
  { to: '/batches', label: 'Batch calls', exact: false },
] as const;
