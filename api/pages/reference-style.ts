import { colourProperties } from './look.js';

/** What the reference page changes of Swagger UI's own style: name, colours and what it has no use for. */
export const referenceStyle = `:root {
  color-scheme: light;
  ${colourProperties}
}
html.dark-mode {
  color-scheme: dark;
}
body,
html.dark-mode body {
  background: var(--ground);
}
.swagger-ui,
.swagger-ui .info .title,
.swagger-ui .opblock-tag {
  font-family: system-ui, sans-serif;
}
.swagger-ui .topbar {
  padding: 0.75rem 0;
  background: #101415;
}
/* There is one document here: nothing to choose. */
.swagger-ui .topbar .download-url-wrapper {
  display: none;
}
.swagger-ui .topbar a {
  flex: 0 0 auto;
  max-width: none;
}
.swagger-ui .topbar-wrapper {
  justify-content: space-between;
}
.swagger-ui .info .title small,
.swagger-ui .info .title small.version-stamp {
  background: var(--main);
}
.swagger-ui .info a,
.swagger-ui .renderedMarkdown a {
  color: var(--main);
}
.swagger-ui .btn.authorize,
.swagger-ui .btn.execute {
  border-color: var(--main);
  background: var(--main);
  color: var(--on-main);
}
.swagger-ui .btn.authorize svg {
  fill: var(--on-main);
}
.swagger-ui .scheme-container {
  background: var(--card);
  box-shadow: none;
  border-block: 1px solid var(--edge);
}
`;
