/** Where the navigation leads, in its order. `exact`: the pages below an address are other entries. */
export const navigation = [
  { to: '/', label: 'Overview', exact: true },
  { to: '/batches', label: 'Batch calls', exact: false },
] as const;
