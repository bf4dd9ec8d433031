// Rules of our own for oxlint (.oxlintrc.json).

/** Whether a node is a call of `AbortSignal.<name>`. */
const isSignalCall = (/** @type {any} */ node, /** @type {string} */ name) =>
  node.type === 'CallExpression' && node.callee.object?.name === 'AbortSignal' && node.callee.property?.name === name;

/** `AbortSignal.any` holds its signals weakly, so that the timer of an `AbortSignal.timeout` in it can be collected. */
const timeLimitsHold = {
  create: (/** @type {any} */ context) => ({
    CallExpression(/** @type {any} */ node) {
      if (!isSignalCall(node, 'timeout')) return;
      for (let outer = node.parent; outer; outer = outer.parent) {
        if (isSignalCall(outer, 'any')) {
          context.report({
            node,
            message: 'Such a time limit may never come: use withTimeLimit of platform/time-limit.ts.',
          });
          return;
        }
      }
    },
  }),
};

export default { meta: { name: 'outdial' }, rules: { 'time-limits-hold': timeLimitsHold } };
