import type { Section } from './statement.js';

const bases = 'api/knowledge-bases';
const folders = 'api/knowledge-base-folders';
const ingest = 'workflow/ingest-knowledge-base';

export const apiKnowledge: readonly Section[] = [
  {
    source: 'api',
    heading: 'Knowledge bases',
    statements: [
      [
        'knowledge.text',
        'A knowledge base is made from a text',
        `${bases}/create/201: a text is taken`,
        `${ingest}: a text becomes ready`,
      ],
      [
        'knowledge.url',
        'Or from a URL, guarded and bounded in time',
        `${bases}/create/201: a URL is stored`,
        `${ingest}: a URL is fetched`,
        `${ingest}: each redirect`,
      ],
      [
        'knowledge.file',
        'Or from a .txt, .md, .html, .pdf or .docx',
        `${bases}/create/201: the file %s`,
        `${bases}/create/415: the file %s`,
        `${ingest}: a Word document`,
      ],
      [
        'knowledge.10mb',
        'Of at most 10 MB',
        `${bases}/create/201: a file of exactly`,
        `${bases}/create/413: a file of 10,485,761`,
      ],
      ['knowledge.list', 'The list has search and folderId', `${bases}/list/200: search and folder`],
      [
        'knowledge.get',
        'status is processing, ready or failed with a reason',
        `${bases}/get/200: polling follows`,
        `${bases}/get/200: one that failed`,
      ],
      ['knowledge.patch', 'PATCH changes name and folder', `${bases}/update/200: it is renamed`],
      ['knowledge.delete', 'DELETE takes it with all of it', `${bases}/delete/200: one %s`],
      [
        'knowledge.delete.used',
        'DELETE is 409 while an agent’s latest or deployed version uses it',
        `${bases}/delete/409: one that the latest`,
        `${bases}/delete/409: one that the deployed`,
      ],
      ['knowledge.content', 'content is the text that was found', `${bases}/content/200: the text`],
      [
        'knowledge.query',
        'query answers ranked passages',
        `${bases}/query/200: the passage that has the words`,
        `${bases}/query/200: at most limit`,
      ],
      [
        'knowledge.language',
        'Text is searched in the language that it is in',
        `${bases}/query/200: in %s words`,
        'unit/knowledge/detect-language: %s is %s',
      ],
      [
        'knowledge.durable',
        'Reading it is a workflow that can die half-way',
        `${ingest}: a try that dies`,
        `${ingest}: a document at which`,
      ],
    ],
  },
  {
    source: 'api',
    heading: 'Knowledge base folders',
    statements: [
      [
        'folders.name',
        'A name is there once among siblings',
        `${folders}/create/409: a name is there once`,
        `${folders}/update/409: a folder does not take`,
      ],
      [
        'folders.levels',
        'At most three levels',
        `${folders}/create/201: three levels`,
        `${folders}/create/400: a fourth level`,
        `${folders}/update/400: a folder with others`,
      ],
      [
        'folders.delete',
        'A folder that is not empty stays, unless recursive',
        `${folders}/delete/409: a folder with another`,
        `${folders}/delete/200: with recursive=true`,
      ],
      [
        'folders.crud',
        'Folders are made, listed, got and changed',
        `${folders}/create/201: a folder at the top`,
        `${folders}/list/200: folders of all levels`,
        `${folders}/get/200: a folder is answered`,
        `${folders}/update/200: a folder is renamed`,
      ],
    ],
  },
];
