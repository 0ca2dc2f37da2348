/** Of what one task writes, the newest end of it, in characters. */
const maxCharacters = 64 * 1024;
/** Colours, titles, and the marks of shell integration. */
const escapes = /\u001b(?:\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\[[0-?]*[ -/]*[@-~]|[@-Z\\-_])/g;

/** What a process in a terminal has written. */
export class WrittenOutput {
  private text = '';
  private cut = false;

  add(data: string): void {
    this.text += data;
    if (this.text.length > maxCharacters) {
      this.text = this.text.slice(-maxCharacters);
      this.cut = true;
    }
  }

  /** Nothing where nothing came: the editor does not always tell. */
  read(): { readonly text: string; readonly cut: boolean } | undefined {
    const text = this.text.replace(escapes, '').replace(/\r+\n/g, '\n');
    return text === '' ? undefined : { text, cut: this.cut };
  }
}
