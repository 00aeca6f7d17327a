import { useEffect, useState } from 'react'

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false

/**
 * Handles files that are dropped anywhere on the page. Returns whether a file is dragged over it. Drop zones
 * of dialogs have precedence; drops are ignored while `onFile` is null.
 */
export function useFileDrop(onFile: ((file: File) => void) | null): boolean {
  const [isDragOver, setIsDragOver] = useState(false)
  useEffect(() => {
    if (!onFile) return
    const handleOver = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setIsDragOver(true)
    }
    const handleLeave = (event: DragEvent): void => {
      // There is no related element only if the pointer leaves the page.
      if (event.relatedTarget === null) setIsDragOver(false)
    }
    const handleDrop = (event: DragEvent): void => {
      setIsDragOver(false)
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
  return isDragOver
}
