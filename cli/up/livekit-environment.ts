type Settings = Readonly<Record<string, string | undefined>>;

const keysPage = 'LiveKit Cloud: Settings, Keys. Your own LiveKit: `keys` of its config.';

/** How LiveKit is named: by our settings, or by the variables that LiveKit's own tools read. */
export const liveKitVariables = [
  {
    name: 'OUTDIAL_LIVEKIT_URL',
    plain: 'LIVEKIT_URL',
    from: 'LiveKit Cloud: https://<project>.livekit.cloud (cloud.livekit.io). Your own LiveKit: http://<host>:7880.',
  },
  { name: 'OUTDIAL_LIVEKIT_API_KEY', plain: 'LIVEKIT_API_KEY', from: keysPage },
  { name: 'OUTDIAL_LIVEKIT_API_SECRET', plain: 'LIVEKIT_API_SECRET', from: keysPage },
] as const;

const given = (text: string | undefined): text is string => text !== undefined && text.trim() !== '';

/** These settings for real calls: each of LiveKit's comes from its own name, else from the one that LiveKit's tools read. */
export function liveKitEnvironment(env: Settings): Settings {
  const known = liveKitVariables.map(({ name, plain }) => [name, given(env[name]) ? env[name] : env[plain]] as const);
  return { ...env, ...Object.fromEntries(known.filter(([, value]) => given(value))), OUTDIAL_PROVIDER: 'livekit' };
}
