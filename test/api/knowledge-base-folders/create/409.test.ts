import { expect, test } from 'vitest';
import { api } from '../../support.js';
import { aFolder } from '../support.js';

const create = (body: object) => api.post('/v1/knowledge-base-folders', body);

// shows: folders.name
test.each(['at the top', 'in a folder'])('a name is there once %s', async (place) => {
  const where = place === 'at the top' ? {} : { parentId: (await aFolder()).folderId };
  const { name } = await aFolder(where);
  const response = await create({ name, ...where });
  expect({ status: response.status, body: response.body }).toEqual({
    status: 409,
    body: { error: `There is a folder called ${name} in this place already` },
  });
});

test.each(['at the top', 'in a folder'])(
  'of folders of one name made %s at the same time one is stored',
  async (place) => {
    const where = place === 'at the top' ? {} : { parentId: (await aFolder()).folderId };
    const body = { name: `Race ${place}`, ...where };
    const statuses = (await Promise.all(Array.from({ length: 6 }, () => create(body)))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 409, 409, 409, 409, 409]);
  },
);
