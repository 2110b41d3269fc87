// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {Initialised} from "./Initialised.sol";

/// Its log says that all was moved, and nothing was.
contract UnmovedToken is Initialised {
    event Transfer(address indexed from, address indexed to, uint256 value);

    function balanceOf(address) external pure returns (uint256) {
        return 0;
    }

    function transfer(address to, uint256 units) external returns (bool) {
        emit Transfer(msg.sender, to, units);
        return true;
    }
}

/// Its log says 100, and 99 arrive.
contract ShortToken is Initialised {
    mapping(address account => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function mint(address to, uint256 units) external onlyOwner {
        balanceOf[to] += units;
        emit Transfer(address(0), to, units);
    }

    function transfer(address to, uint256 units) external returns (bool) {
        balanceOf[msg.sender] -= units;
        balanceOf[to] += units - units / 100;
        emit Transfer(msg.sender, to, units);
        return true;
    }
}
