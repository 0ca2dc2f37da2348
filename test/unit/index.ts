export { mochaHooks } from '../harness/leakCheck';
