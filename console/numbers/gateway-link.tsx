import type { Schemas } from '../api/client.js';
import { TextLink } from '../ui/link.js';

/** A gateway by its name, as the way to its page. */
export const GatewayLink = ({ gateway }: { readonly gateway: Schemas['Gateway'] | null }) =>
  gateway === null ? (
    <>–</>
  ) : (
    <TextLink to="/gateways/$gatewayId" params={{ gatewayId: gateway.id }}>
      {gateway.name}
    </TextLink>
  );
