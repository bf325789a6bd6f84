import type { LossReason } from '../port/losses.ts'

/** Returns why a file without text that a format reads is left out, by its ending. */
export function findSkipReason(path: string): LossReason {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  return SKIP_REASONS.find(({ endings }) => endings.includes(ending))?.reason ?? 'unsupported'
}

const SKIP_REASONS: readonly { reason: LossReason; endings: readonly string[] }[] = [
  { reason: 'image', endings: 'png jpg jpeg gif webp svg bmp ico tif tiff heic avif'.split(' ') },
  { reason: 'audio', endings: 'mp3 wav ogg oga opus m4a flac aac amr'.split(' ') },
  { reason: 'video', endings: 'mp4 mov avi mkv webm m4v 3gp'.split(' ') },
  { reason: 'archive', endings: 'zip tar gz tgz bz2 xz 7z rar zst'.split(' ') },
  { reason: 'settings', endings: ['canvas', 'base'] }
]
