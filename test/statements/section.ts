/** Statements about one subject. */
export interface Section {
  readonly heading: string;
  /** By id: what the service promises. Ids never change; tests name them in comments, `// shows: <id>, <id>`. */
  readonly statements: Readonly<Record<string, string>>;
}
