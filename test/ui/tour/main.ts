// The scripted tour of `npm start -- --headless`: walks through Portico like a person and takes pictures.
import { Workbench } from '../driver/workbench';

/** Writes the pictures into `folder`. */
export async function main(folder: string): Promise<void> {
  await emptyState(folder);
  console.log(`pictures in ${folder}`);
}

async function emptyState(folder: string): Promise<void> {
  const workbench = await Workbench.open();
  try {
    await workbench.openPortico();
    await workbench.screenshot('emptyState', folder);
  } finally {
    await workbench.close();
  }
}
