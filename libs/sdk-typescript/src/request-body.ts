/** The content of a file, however the caller has it. A stream is read to its end before the first attempt. */
export type FileContent = Blob | Uint8Array | ArrayBuffer | AsyncIterable<Uint8Array>;

/** A body that can be sent as often as needed. */
export interface RequestBody {
  content: string | FormData;
  contentType?: string;
  bytes: number;
}

export function jsonBody(value: object): RequestBody {
  const content = JSON.stringify(value);
  return { content, contentType: 'application/json', bytes: new TextEncoder().encode(content).length };
}

/** A form with one file; fetch draws its boundary and says so in the content type. */
export async function formBody(field: string, file: FileContent): Promise<RequestBody> {
  const blob = await blobOf(file);
  const content = new FormData();
  content.append(field, blob, field);
  return { content, bytes: blob.size };
}

async function blobOf(file: FileContent): Promise<Blob> {
  if (file instanceof Blob) return file;
  if (file instanceof Uint8Array || file instanceof ArrayBuffer) return new Blob([file]);
  if (typeof file !== 'object' || !(Symbol.asyncIterator in file))
    throw new TypeError('A file is bytes, a Blob or a stream.');
  const parts: Uint8Array[] = [];
  for await (const part of file) parts.push(part);
  return new Blob(parts);
}
