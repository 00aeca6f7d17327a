import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const server = 'http://127.0.0.1:4870'

export default defineConfig({
  plugins: [react()],
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    // The size of the sign-in page is measured from it.
    manifest: true,
    // The list of what each lazy screen would have preloaded costs the sign-in page 4 kB; what index.html names is preloaded still.
    modulePreload: { polyfill: false, resolveDependencies: (_file, dependencies, { hostType }) => (hostType === 'html' ? dependencies : []) },
    // The map engine is one library; it is loaded by map pages only.
    chunkSizeWarningLimit: 1200,
  },
  server: {
    proxy: { '/v2': server, '/api': server, '/internal': server, '/apipy': server },
  },
  // Found late, these would reload the page in the middle of development.
  optimizeDeps: { include: ['maplibre-gl', '@deck.gl/core', '@deck.gl/layers', '@deck.gl/aggregation-layers'] },
})
