import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'
import { Transform, type TransformCallback } from 'node:stream'

// Format: magic, salt and nonce prefix, followed by segments of 1 MiB, each encrypted with AES-256-GCM and
// followed by its tag. The nonce contains the number of the segment and whether it is the last one, so that
// files that were truncated, reordered or concatenated are rejected (the STREAM construction).

const magic = Buffer.from('PWENC001')
const saltBytes = 16
const noncePrefixBytes = 7
const tagBytes = 16
const segmentBytes = 1 << 20
const headerBytes = magic.length + saltBytes + noncePrefixBytes
/** Parameters of key derivation, which takes 64 MB and about 0.2 s. */
const scryptOptions = { N: 1 << 16, r: 8, p: 1, maxmem: 128 << 20 }

/** An encrypted file cannot be read: the passphrase is wrong, or the file was changed or truncated. */
export class DecryptionError extends Error {
  override name = 'DecryptionError'
}

const deriveKey = (passphrase: string, salt: Buffer): Buffer =>
  scryptSync(passphrase, salt, 32, scryptOptions)

function makeNonce(prefix: Buffer, segment: number, isLast: boolean): Buffer {
  const counter = Buffer.alloc(4)
  counter.writeUInt32BE(segment)
  return Buffer.concat([prefix, counter, Buffer.from([Number(isLast)])])
}

/** Splits a stream into segments, converts each, and marks the last one. */
abstract class SegmentTransform extends Transform {
  /** Chunks that are not converted yet. */
  #pending: Buffer[] = []
  /** Number of pending bytes. */
  #pendingBytes = 0
  #segment = 0
  /** Number of bytes of a full segment before its conversion. */
  abstract readonly inputBytes: number

  protected abstract convert(bytes: Buffer, segment: number, isLast: boolean): Buffer

  /** Returns whether the header before the first segment was not read yet. */
  protected needsHeader(): boolean {
    return false
  }

  /** Reads the header and returns the bytes after it; null if there are too few bytes. */
  protected takeHeader(bytes: Buffer): Buffer | null {
    return bytes
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    try {
      this.#pending.push(chunk)
      this.#pendingBytes += chunk.length
      // A full segment is not converted until more bytes follow, because it may be the last one.
      if (this.needsHeader() || this.#pendingBytes > this.inputBytes) this.#convertPending()
      done()
    } catch (error) {
      done(error as Error)
    }
  }

  #convertPending(): void {
    const pending = Buffer.concat(this.#pending)
    let bytes = this.needsHeader() ? this.takeHeader(pending) : pending
    if (bytes === null) return void (this.#pending = [pending])
    for (; bytes.length > this.inputBytes; bytes = bytes.subarray(this.inputBytes))
      this.push(this.convert(bytes.subarray(0, this.inputBytes), this.#segment++, false))
    this.#pending = [bytes]
    this.#pendingBytes = bytes.length
  }

  override _flush(done: TransformCallback): void {
    try {
      this.push(this.convert(Buffer.concat(this.#pending), this.#segment, true))
      done()
    } catch (error) {
      done(error as Error)
    }
  }
}

class Encryption extends SegmentTransform {
  readonly inputBytes = segmentBytes
  readonly #key: Buffer
  readonly #prefix = randomBytes(noncePrefixBytes)

  constructor(passphrase: string) {
    super()
    const salt = randomBytes(saltBytes)
    this.#key = deriveKey(passphrase, salt)
    this.push(Buffer.concat([magic, salt, this.#prefix]))
  }

  protected convert(bytes: Buffer, segment: number, isLast: boolean): Buffer {
    const cipher = createCipheriv('aes-256-gcm', this.#key, makeNonce(this.#prefix, segment, isLast))
    return Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
  }
}

class Decryption extends SegmentTransform {
  readonly inputBytes = segmentBytes + tagBytes
  readonly #passphrase: string
  #key: Buffer | null = null
  #prefix = Buffer.alloc(0)

  constructor(passphrase: string) {
    super()
    this.#passphrase = passphrase
  }

  protected override needsHeader(): boolean {
    return this.#key === null
  }

  protected override takeHeader(bytes: Buffer): Buffer | null {
    if (bytes.length < headerBytes) return null
    if (!bytes.subarray(0, magic.length).equals(magic))
      throw new DecryptionError('The file is not encrypted.')
    const salt = bytes.subarray(magic.length, magic.length + saltBytes)
    this.#key = deriveKey(this.#passphrase, salt)
    this.#prefix = Buffer.from(bytes.subarray(headerBytes - noncePrefixBytes, headerBytes))
    return bytes.subarray(headerBytes)
  }

  protected convert(bytes: Buffer, segment: number, isLast: boolean): Buffer {
    if (!this.#key || bytes.length < tagBytes) throw new DecryptionError('The encrypted file is cut off.')
    const decipher = createDecipheriv('aes-256-gcm', this.#key, makeNonce(this.#prefix, segment, isLast))
    decipher.setAuthTag(bytes.subarray(-tagBytes))
    try {
      return Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()])
    } catch {
      throw new DecryptionError('The passphrase is wrong, or the encrypted file was changed or cut off.')
    }
  }
}

/** Encrypts a stream with a key derived from a passphrase. */
export const createEncryption = (passphrase: string): Transform => new Encryption(passphrase)

/** Decrypts such an encryption. Fails with DecryptionError unless it is complete and unchanged. */
export const createDecryption = (passphrase: string): Transform => new Decryption(passphrase)
