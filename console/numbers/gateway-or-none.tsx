import type { Schemas } from '../api/client.js';
import { TextLink } from '../ui/link.js';

/** A link to a gateway that is known with its name, or a dash if there is none. */
export const GatewayOrNone = ({ gateway }: { readonly gateway: Schemas['Gateway'] | null }) =>
  gateway === null ? (
    <>–</>
  ) : (
    <TextLink to="/gateways/$gatewayId" params={{ gatewayId: gateway.id }}>
      {gateway.name}
    </TextLink>
  );
