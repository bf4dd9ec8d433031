/**
 * `up` and `demo` never dial a telephone.
 * @throws if the environment names another provider
 */
export function refuseOtherCarriers(env: Readonly<Record<string, string | undefined>>): void {
  const { OUTDIAL_PROVIDER: provider } = env;
  if (provider === undefined || provider === '' || provider === 'simulator') return;
  throw new Error(
    `OUTDIAL_PROVIDER is ${provider}, but this command dials nothing but the carrier simulator. ` +
      'Unset it, or run the roles by themselves: api, worker, dialer.',
  );
}
