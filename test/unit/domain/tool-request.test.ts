import { expect, test } from 'vitest';
import { toolRequest } from '../../../domain/agent/tool-request.js';

const url = 'https://api.example.com/orders/{orderId}?shop=1';

test('arguments with a placeholder go into the URL, encoded, and nowhere else', () => {
  const request = toolRequest({ method: 'POST', url }, { orderId: 'A/1?x=#', note: 'soon' });
  expect(request).toEqual({
    url: 'https://api.example.com/orders/A%2F1%3Fx%3D%23?shop=1',
    method: 'POST',
    body: '{"note":"soon"}',
  });
});

test('GET and DELETE send the others in the query, what is no text as JSON', () => {
  const request = toolRequest({ method: 'GET', url }, { orderId: 7, tags: ['a', 'b'], open: true, gone: undefined });
  expect(request).toEqual({
    url: 'https://api.example.com/orders/7?shop=1&tags=%5B%22a%22%2C%22b%22%5D&open=true',
    method: 'GET',
    body: null,
  });
});

test.each(['.', '..'])('an argument of %j does not climb out of its place in the path', (orderId) => {
  expect(() => toolRequest({ method: 'GET', url }, { orderId })).toThrow('orderId cannot be');
});
