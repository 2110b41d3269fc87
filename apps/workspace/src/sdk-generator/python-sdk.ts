import { pythonRefusals } from './python-refusals';
import { pythonResources } from './python-resources';
import { namedThroughout, pythonTypes } from './python-types';
import { SdkEmitter } from './sdk-model';

const FOLDER = 'libs/sdk-python/src/stablecoin_sdk';

/** The generated modules of libs/sdk-python; what sends the requests is written by hand beside them. */
export const pythonSdk: SdkEmitter = {
  [`${FOLDER}/types.py`]: (model) => pythonTypes(namedThroughout(model)),
  [`${FOLDER}/resources.py`]: (model) => pythonResources(namedThroughout(model)),
  [`${FOLDER}/refusals.py`]: pythonRefusals,
};
