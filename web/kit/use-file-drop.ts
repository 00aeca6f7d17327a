import { useEffect, useState } from 'react'

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false

/**
 * Takes a file that is dropped anywhere on the page. Returns whether one is dragged over it. Drop zones of dialogs come
 * first; nothing is taken while `onFile` is null.
 */
export function useFileDrop(onFile: ((file: File) => void) | null): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    if (!onFile) return
    const handleOver = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const handleLeave = (event: DragEvent): void => {
      // Between two elements of the page the related one is known.
      if (event.relatedTarget === null) setOver(false)
    }
    const handleDrop = (event: DragEvent): void => {
      setOver(false)
      const file = event.dataTransfer?.files[0]
      if (event.defaultPrevented || !file) return
      event.preventDefault()
      onFile(file)
    }
    window.addEventListener('dragover', handleOver)
    window.addEventListener('dragleave', handleLeave)
    window.addEventListener('drop', handleDrop)
    return () => {
      window.removeEventListener('dragover', handleOver)
      window.removeEventListener('dragleave', handleLeave)
      window.removeEventListener('drop', handleDrop)
    }
  }, [onFile])
  return isOver
}
